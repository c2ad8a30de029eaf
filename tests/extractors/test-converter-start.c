/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the start of tarsier-extract: whoever needs none of its plugins does not wait for it, and a
 * program that does not answer is ended. */
#include <config.h>
#include "common/base/autofd.h"
#include "tests/extractors/converter-test.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path_of(const char *name)
{
	return g_build_filename(g_getenv("TEST_TMP"), name, NULL);
}

/* Starts this shell script instead of tarsier-extract, which is "$extract" there. The directory of
 * the test is "$here". */
static void set_program(const char *commands)
{
	static char *extract;
	g_autofree char *path = path_of("extract");
	if (!extract)
		extract = g_strdup(g_getenv("TARSIER_EXTRACT"));
	g_autofree char *script = g_strdup_printf(
	        "#!/bin/sh\nextract='%s' here='%s'\n%s", extract, g_getenv("TEST_TMP"), commands);
	g_assert_true(g_file_set_contents(path, script, -1, NULL));
	g_assert_cmpint(chmod(path, 0700), ==, 0);
	g_setenv("TARSIER_EXTRACT", path, TRUE);
}

/* The program with all plugins waits; the one with few plugins starts at once. */
static void set_up_slow(Fixture *f, gconstpointer data)
{
	static const char *const light_plugins[] = {"hostile", NULL};
	const ConverterOptions options = {.children = 2, .light_plugins = light_plugins};
	g_autoptr(GError) error = NULL;
	g_autofree char *go = path_of("go"), *begun = path_of("begun");
	unlink(go);
	unlink(begun);
	g_assert_cmpint(mkfifo(go, 0600), ==, 0);
	set_program("case \"$*\" in\n"
	            "*--only=*) ;;\n"
	            "*) >\"$here/begun\"; read line <\"$here/go\" ;;\n"
	            "esac\n"
	            "exec \"$extract\" \"$@\"\n");
	f->converter = converter_start(&options, &error);
	g_assert_no_error(error);
}

static void note_document(Document *doc, void *data)
{
	document_free(doc);
}

static void note_end(const ConvertResult *result, void *data)
{
	g_assert_cmpint(result->state, ==, STATE_OK);
	++*(unsigned *)data;
}

static gboolean look_again(gpointer data)
{
	return G_SOURCE_CONTINUE;
}

static void iterate_until_exists(const char *path)
{
	guint timer = g_timeout_add(5, look_again, NULL);
	while (access(path, F_OK) != 0)
		g_main_context_iteration(NULL, TRUE);
	g_source_remove(timer);
}

/* Waits until the program reads it. */
static void let_go(const char *path)
{
	autofd fd = open(path, O_WRONLY | O_CLOEXEC);
	g_assert_cmpint(write(fd, "\n", 1), ==, 1);
}

static void test_others_go_on(Fixture *f, gconstpointer data)
{
	static const ConvertCallbacks callbacks = {.document = note_document, .done = note_end};
	const bool waits_in_front = data != NULL;
	g_autofree char *go = path_of("go"), *begun = path_of("begun");
	unsigned ended = 0;
	for (unsigned i = 0; i < (waits_in_front ? 4 : 1); i++) {
		ConvertRequest request = request_of("fine", "x.md");
		request.urgent = waits_in_front;
		converter_submit(f->converter, &request, &callbacks, &ended);
	}
	iterate_until_exists(begun);
	for (unsigned i = 0; i < 3; i++) {
		g_autoptr(Document) doc = convert(f, "fine", "x.txt");
		g_assert_cmpint(doc->state, ==, STATE_OK);
	}
	g_assert_cmpuint(ended, ==, 0);
	let_go(go);
	while (ended < (waits_in_front ? 4 : 1))
		g_main_context_iteration(NULL, TRUE);
	assert_fine(f);
}

static void test_freed_while_it_starts(Fixture *f, gconstpointer data)
{
	static const ConvertCallbacks callbacks = {.document = note_document, .done = note_end};
	g_autofree char *begun = path_of("begun");
	unsigned ended = 0;
	ConvertRequest request = request_of("fine", "x.md");
	converter_submit(f->converter, &request, &callbacks, &ended);
	iterate_until_exists(begun);
	g_clear_pointer(&f->converter, converter_free);
	g_assert_cmpuint(ended, ==, 0);
}

/* SIGTERM does not end a suspended program. */
static void test_a_suspended_program_is_ended(void)
{
	const ConverterOptions options = {.children = 1};
	g_autoptr(GError) error = NULL;
	set_program("kill -STOP $$\n");
	g_assert_null(converter_start(&options, &error));
	g_assert_nonnull(error);
}

int main(int argc, char **argv)
{
	converter_test_init(&argc, &argv);
	g_test_add("/extractors/converter-start/others-go-on", Fixture, NULL, set_up_slow,
	        test_others_go_on, fixture_down);
	g_test_add("/extractors/converter-start/others-pass-urgent-ones", Fixture, "urgent",
	        set_up_slow, test_others_go_on, fixture_down);
	g_test_add("/extractors/converter-start/freed", Fixture, NULL, set_up_slow,
	        test_freed_while_it_starts, fixture_down);
	g_test_add_func("/extractors/converter-start/suspended", test_a_suspended_program_is_ended);
	return g_test_run();
}
