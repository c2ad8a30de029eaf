/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what the sandbox refuses to a plugin under hostile control, on this kernel and on weaker
 * ones. */
#include <config.h>
#include "common/base/autofd.h"
#include "tests/extractors/converter-test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

/* These calls fail, and the plugin goes on. */
static const char *const refused[] = {"open", "open-directory", "open-name", "open2", "own-memory",
        "environment", "write", "nameless", "access", "status", "stat", "lstat", "stat-at",
        "existence", "link-target", "directory", "remove", "rename", "link", "symlink", "chdir",
        "chmod", "chmod-name", "owner", "cut", "exec", "exec-file", "memory-file", "inet", "inet6",
        "netlink", "bus", "pair", "pipe", "fork", "clone3", "thread", "signal", "signal-all",
        "flags", "lock", "terminal", "copy", "watch", "fewer-files", "personality", "times"};

/* No extractor needs these calls, so they kill the child. */
static const char *const forbidden[] = {"executable-memory", "executable-file", "shared-memory",
        "ptrace", "read-process", "process", "descriptor", "namespace", "limits", "traceable",
        "user", "priority", "io-uring", "bpf", "perf", "userfaultfd", "key", "unshare", "mount",
        "chroot", "device", "attribute", "filter", "handle", "fanotify"};

/* These tries succeed without a sandbox, whoever runs the test: so they detect a sandbox. */
static const char *const allowed[] = {"open", "open-directory", "open-name", "open2", "access",
        "status", "stat", "lstat", "stat-at", "existence", "existence-by-open", "link-target",
        "nameless", "chdir", "chmod", "owner", "times", "exec", "exec-file", "memory-file", "inet",
        "netlink", "bus", "pair", "pipe", "signal-all", "flags", "lock", "terminal", "copy",
        "watch", "fewer-files", "personality", "executable-memory", "executable-file",
        "shared-memory", "process", "limits", "traceable", "priority", "thread"};

static void assert_says(Fixture *f, const char *verb, const char *name, const char *wanted)
{
	g_autoptr(Document) doc = convert(f, verb, name);
	if (g_strcmp0(doc->text->str, wanted) != 0)
		g_error("%s (%s): %s %s for %s", verb, name, document_reason_name(doc->reason),
		        doc->text->str, wanted);
}

static void assert_all_refused(Fixture *f, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
		assert_says(f, refused[i], name, "refused");
}

static void assert_all_forbidden(Fixture *f, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(forbidden); i++) {
		g_autoptr(Document) doc = convert(f, forbidden[i], name);
		if (doc->state != STATE_FAILED || doc->reason != REASON_FORBIDDEN)
			g_error("%s (%s): %s %s", forbidden[i], name,
			        document_reason_name(doc->reason), doc->text->str);
	}
}

static void test_refused(Fixture *f, gconstpointer name)
{
	if (sandboxed(f))
		assert_all_refused(f, name);
}

/* The C library maps such memory for its random numbers, if the kernel has it. */
static void test_needed(Fixture *f, gconstpointer name)
{
	g_autoptr(Document) doc = convert(f, "droppable-memory", name);
	if (doc->state != STATE_OK)
		g_error("%s: %s", (const char *)name, document_reason_name(doc->reason));
}

/* Only the lane of a plugin that reads tables may open files at all. */
static void test_open(Fixture *f, gconstpointer data)
{
	if (!sandboxed(f))
		return;
	assert_says(f, "existence-by-open", "x.txt", "refused");
	if (converter_info(f->converter)->level == SANDBOX_FULL)
		assert_says(f, "existence-by-open", "x.md", "allowed");
}

static void test_forbidden(Fixture *f, gconstpointer name)
{
	if (sandboxed(f))
		assert_all_forbidden(f, name);
}

/* ---- weaker kernels */

static char *whole_program; /* TARSIER_EXTRACT at first */

/* Puts a script in the place of the program that starts it as on another kernel. lacks: see
 * weaken.c. */
static Converter *start_without(const char *lacks, bool allow_unsandboxed)
{
	const ConverterOptions options = {.children = 1, .allow_unsandboxed = allow_unsandboxed};
	g_autoptr(GError) error = NULL;
	g_autofree char *weaken = g_test_build_filename(G_TEST_BUILT, "weaken", NULL);
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "weak-extract-XXXXXX", NULL);
	g_autofree char *script = g_strdup_printf(
	        "#!/bin/sh\nexec '%s' %s '%s' \"$@\"\n", weaken, lacks, whole_program);
	autofd fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0700);
	g_assert_cmpint(write(fd, script, strlen(script)), ==, (ssize_t)strlen(script));
	close(autofd_steal(&fd));
	g_setenv("TARSIER_EXTRACT", path, TRUE);
	Converter *converter = converter_start(&options, &error);
	g_assert_no_error(error);
	return converter;
}

static void end_without(Fixture *f)
{
	converter_free(f->converter);
	g_unlink(g_getenv("TARSIER_EXTRACT"));
	g_setenv("TARSIER_EXTRACT", whole_program, TRUE);
}

/* Seccomp alone still refuses everything. */
static void test_no_landlock(void)
{
	Fixture f = {start_without("landlock_create_ruleset", false)};
	g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_SECCOMP);
	assert_all_refused(&f, "x.txt");
	assert_all_forbidden(&f, "x.md");
	assert_fine(&f);
	end_without(&f);
}

/* Each version of Landlock is asked for the rights that it knows, and no more. */
static void test_old_landlock(void)
{
	for (unsigned abi = 1; abi <= 6; abi++) {
		g_autofree char *lacks = g_strdup_printf("landlock=%u", abi);
		Fixture f = {start_without(lacks, false)};
		g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_FULL);
		assert_all_refused(&f, "x.txt");
		end_without(&f);
	}
}

/* Landlock alone does not confine: only our own plain-text plugin may run, which is not in this
 * directory. */
static void test_no_seccomp(void)
{
	static const char *const lacks[] = {"seccomp", "seccomp,landlock_create_ruleset"};
	static const SandboxLevel levels[] = {SANDBOX_LANDLOCK, SANDBOX_NONE};
	for (size_t i = 0; i < G_N_ELEMENTS(lacks); i++) {
		Fixture f = {start_without(lacks[i], false)};
		g_assert_cmpint(converter_info(f.converter)->level, ==, levels[i]);
		g_assert_cmpuint(converter_info(f.converter)->n_plugins, ==, 0);
		g_autoptr(Document) doc = convert(&f, "fine", "x.txt");
		g_assert_cmpint(doc->state, ==, STATE_NOTHING);
		g_assert_cmpint(doc->reason, ==, REASON_UNSUPPORTED);
		end_without(&f);
	}
}

/* The tries above fail because of the sandbox and for no other reason. */
static void test_unsandboxed(void)
{
	Fixture f = {start_without("seccomp,landlock_create_ruleset", true)};
	g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_NONE);
	assert_fine(&f);
	for (size_t i = 0; i < G_N_ELEMENTS(allowed); i++)
		assert_says(&f, allowed[i], "x.md", "allowed");
	end_without(&f);
}

int main(int argc, char **argv)
{
	converter_test_init(&argc, &argv);
	whole_program = g_strdup(g_getenv("TARSIER_EXTRACT"));
	g_test_add("/extractors/confinement/attacks-fail/shared-lane", Fixture, "x.txt", fixture_up,
	        test_refused, fixture_down);
	g_test_add("/extractors/confinement/attacks-fail/own-lane", Fixture, "x.md", fixture_up,
	        test_refused, fixture_down);
	g_test_add("/extractors/confinement/what-the-c-library-needs-is-allowed/shared-lane",
	        Fixture, "x.txt", fixture_up, test_needed, fixture_down);
	g_test_add("/extractors/confinement/what-the-c-library-needs-is-allowed/own-lane", Fixture,
	        "x.md", fixture_up, test_needed, fixture_down);
	g_test_add("/extractors/confinement/nothing-is-opened-where-nothing-is-read", Fixture, NULL,
	        fixture_up, test_open, fixture_down);
	g_test_add("/extractors/confinement/forbidden-calls-are-refused/shared-lane", Fixture,
	        "x.txt", fixture_up, test_forbidden, fixture_down);
	g_test_add("/extractors/confinement/forbidden-calls-are-refused/own-lane", Fixture, "x.md",
	        fixture_up, test_forbidden, fixture_down);
	g_test_add_func("/extractors/confinement/works-without-landlock", test_no_landlock);
	g_test_add_func("/extractors/confinement/works-with-an-old-landlock", test_old_landlock);
	g_test_add_func("/extractors/confinement/converts-only-plain-text-without-seccomp",
	        test_no_seccomp);
	g_test_add_func("/extractors/confinement/converts-everything-if-unsandboxed-is-set",
	        test_unsandboxed);
	int status = g_test_run();
	g_free(whole_program);
	return status;
}
