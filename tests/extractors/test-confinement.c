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
        "environment", "write", "nameless", "access", "status", "link-target", "directory",
        "remove", "rename", "link", "symlink", "chdir", "chmod", "chmod-name", "owner", "cut",
        "exec", "exec-file", "memory-file", "inet", "inet6", "netlink", "bus", "pair", "pipe",
        "fork", "clone3", "signal", "signal-all", "flags", "lock", "terminal", "copy", "watch",
        "fewer-files", "personality", "times"};

/* No extractor needs these calls, so they kill the child. */
static const char *const forbidden[] = {"executable-memory", "executable-file", "shared-memory",
        "ptrace", "read-process", "process", "descriptor", "namespace", "limits", "traceable",
        "user", "priority", "io-uring", "bpf", "perf", "userfaultfd", "key", "unshare", "mount",
        "chroot", "device", "attribute", "filter", "handle", "fanotify"};

/* These tries succeed without a sandbox, whoever runs the test: so they detect a sandbox. */
static const char *const allowed[] = {"open", "open-directory", "open-name", "open2", "access",
        "status", "link-target", "nameless", "chdir", "chmod", "owner", "times", "exec",
        "exec-file", "memory-file", "inet", "netlink", "bus", "pair", "pipe", "signal-all", "flags",
        "lock", "terminal", "copy", "watch", "fewer-files", "personality", "executable-memory",
        "executable-file", "shared-memory", "process", "limits", "traceable", "priority", "thread"};

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

static void test_forbidden(Fixture *f, gconstpointer name)
{
	if (sandboxed(f))
		assert_all_forbidden(f, name);
}

static void test_threads(Fixture *f, gconstpointer data)
{
	if (!sandboxed(f))
		return;
	assert_says(f, "thread", "x.txt", "refused");
	assert_says(f, "thread", "x.md", "refused");
	assert_says(f, "thread", "x.log", "allowed");
	assert_fine(f);
}

/* ---- weaker kernels */

/* Starts the program as on another kernel. lacks: see weaken.c. */
static Converter *start_without(const char *lacks, bool allow_unsandboxed)
{
	const ConverterOptions options = {.children = 1, .allow_unsandboxed = allow_unsandboxed};
	g_autoptr(GError) error = NULL;
	g_autofree char *before = g_strdup(g_getenv("TARSIER_EXTRACT"));
	g_autofree char *weaken = g_test_build_filename(G_TEST_BUILT, "weaken", NULL);
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "weak-extract-XXXXXX", NULL);
	g_autofree char *script =
	        g_strdup_printf("#!/bin/sh\nexec '%s' %s '%s' \"$@\"\n", weaken, lacks, before);
	autofd fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0700);
	g_assert_cmpint(write(fd, script, strlen(script)), ==, (ssize_t)strlen(script));
	close(autofd_steal(&fd));
	g_setenv("TARSIER_EXTRACT", path, TRUE);
	Converter *converter = converter_start(&options, &error);
	g_assert_no_error(error);
	g_setenv("TARSIER_EXTRACT", before, TRUE);
	g_unlink(path);
	return converter;
}

/* Seccomp alone still refuses everything. */
static void test_no_landlock(void)
{
	Fixture f = {start_without("landlock_create_ruleset", false)};
	g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_SECCOMP);
	assert_all_refused(&f, "x.txt");
	assert_all_refused(&f, "x.log");
	assert_all_forbidden(&f, "x.md");
	assert_fine(&f);
	converter_free(f.converter);
}

/* Each version of Landlock is asked for the rights that it knows, and no more. */
static void test_old_landlock(void)
{
	for (unsigned abi = 1; abi <= 6; abi++) {
		g_autofree char *lacks = g_strdup_printf("landlock=%u", abi);
		Fixture f = {start_without(lacks, false)};
		g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_FULL);
		assert_all_refused(&f, "x.txt");
		converter_free(f.converter);
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
		converter_free(f.converter);
	}
}

/* The tries above fail because of the sandbox and for no other reason. */
static void test_unsandboxed(void)
{
	Fixture f = {start_without("seccomp,landlock_create_ruleset", true)};
	g_assert_cmpint(converter_info(f.converter)->level, ==, SANDBOX_NONE);
	assert_fine(&f);
	for (size_t i = 0; i < G_N_ELEMENTS(allowed); i++)
		assert_says(&f, allowed[i], "x.log", "allowed");
	converter_free(f.converter);
}

int main(int argc, char **argv)
{
	converter_test_init(&argc, &argv);
	g_test_add("/extractors/confinement/attacks-fail/shared-lane", Fixture, "x.txt", fixture_up,
	        test_refused, fixture_down);
	g_test_add("/extractors/confinement/attacks-fail/own-lane", Fixture, "x.md", fixture_up,
	        test_refused, fixture_down);
	g_test_add("/extractors/confinement/attacks-fail/threads-lane", Fixture, "x.log",
	        fixture_up, test_refused, fixture_down);
	g_test_add("/extractors/confinement/forbidden-calls-are-refused/shared-lane", Fixture,
	        "x.txt", fixture_up, test_forbidden, fixture_down);
	g_test_add("/extractors/confinement/forbidden-calls-are-refused/threads-lane", Fixture,
	        "x.log", fixture_up, test_forbidden, fixture_down);
	g_test_add("/extractors/confinement/only-the-threads-lane-may-start-threads", Fixture, NULL,
	        fixture_up, test_threads, fixture_down);
	g_test_add_func("/extractors/confinement/works-without-landlock", test_no_landlock);
	g_test_add_func("/extractors/confinement/works-with-an-old-landlock", test_old_landlock);
	g_test_add_func("/extractors/confinement/converts-only-plain-text-without-seccomp",
	        test_no_seccomp);
	g_test_add_func("/extractors/confinement/converts-everything-if-unsandboxed-is-set",
	        test_unsandboxed);
	return g_test_run();
}
