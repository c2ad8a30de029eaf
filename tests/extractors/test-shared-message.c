/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests small files that go to one child together: each has the result that it would have alone,
 * whatever becomes of its neighbours. */
#include <config.h>
#include "tests/extractors/converter-test.h"
#include <string.h>

typedef struct {
	const char *verb; /* tells the hostile plugin what to do */
	DocReason reason; /* REASON_NONE: it is converted */
	unsigned wall_ms; /* its time limit; 0: a long one */
	Document *doc;
	unsigned done, restarts;
	DocReason got;
} SmallFile;

static void on_document(Document *doc, void *data)
{
	SmallFile *file = data;
	if (doc->member) {
		document_free(doc);
		return;
	}
	g_assert_null(file->doc);
	file->doc = doc;
}

static void on_restart(void *data)
{
	SmallFile *file = data;
	file->restarts++;
	g_clear_pointer(&file->doc, document_free);
}

static void on_done(const ConvertResult *result, void *data)
{
	SmallFile *file = data;
	file->done++;
	file->got = result->reason;
}

static void submit(Fixture *f, SmallFile *file, const char *name)
{
	static const ConvertCallbacks callbacks = {on_document, on_restart, on_done};
	g_autoptr(GBytes) bytes = g_bytes_new(file->verb, strlen(file->verb));
	ConvertRequest request = {.fd = -1,
	        .bytes = bytes,
	        .size = strlen(file->verb),
	        .name = name,
	        .limits = EXTRACT_LIMITS_DEFAULT};
	request.limits.wall_ms = file->wall_ms > 0 ? file->wall_ms : 20000;
	converter_submit(f->converter, &request, &callbacks, file);
}

static void run(Fixture *f, SmallFile *files, size_t n)
{
	converter_collect(f->converter, true);
	for (size_t i = 0; i < n; i++)
		submit(f, &files[i], "x.txt");
	g_assert_cmpuint(converter_in_work(f->converter), ==, n);
	converter_collect(f->converter, false);
	g_assert_cmpuint(converter_in_work(f->converter), ==, n);
	while (converter_in_work(f->converter) > 0)
		g_main_context_iteration(NULL, TRUE);
}

static void assert_result(SmallFile *file)
{
	g_assert_cmpuint(file->done, ==, 1);
	g_assert_cmpstr(document_reason_name(file->got), ==, document_reason_name(file->reason));
	if (file->reason == REASON_NONE) {
		g_assert_nonnull(file->doc);
		g_assert_cmpstr(file->doc->text->str, ==, "all is fine");
	}
	g_clear_pointer(&file->doc, document_free);
}

static const SmallFile bad_files[] = {
        {"segv", REASON_CRASHED},
        {"abort", REASON_CRASHED},
        {"exit", REASON_CRASHED},
        {"ptrace", REASON_FORBIDDEN},
        {"hang", REASON_LIMIT_TIME, 500},
        {"utf8", REASON_PROTOCOL},
        {"job", REASON_PROTOCOL},
};

/* The bad file stands after and before good ones, and with another one of its kind. data: its
 * number from 1, and so many children there may be. */
static void test_bad_neighbour(Fixture *f, gconstpointer data)
{
	enum { N = 40, FIRST_BAD = 7, SECOND_BAD = 20, FIRST_MS = 5000 };
	const SmallFile *bad = &bad_files[GPOINTER_TO_UINT(data) - 1];
	SmallFile files[N];
	for (unsigned i = 0; i < N; i++)
		files[i] = i == FIRST_BAD || i == SECOND_BAD ? *bad : (SmallFile){.verb = "fine"};
	files[0].wall_ms = FIRST_MS; /* its answer waits for that of a file that never ends */
	run(f, files, N);
	for (unsigned i = 0; i < N; i++)
		assert_result(&files[i]);
	assert_fine(f);
}

/* More files than go into one message, or than a child converts in its life. */
static void test_many(Fixture *f, gconstpointer data)
{
	enum { N = 300 };
	SmallFile files[N];
	g_autoptr(GString) long_verb = g_string_new("fine\n");
	while (long_verb->len < WIRE_ENCLOSED_BYTES)
		g_string_append_c(long_verb, 'x');
	for (unsigned i = 0; i < N; i++)
		files[i] = (SmallFile){.verb = i % 5 == 1 ? long_verb->str : "fine"};
	run(f, files, N);
	for (unsigned i = 0; i < N; i++) {
		g_assert_cmpuint(files[i].restarts, ==, 0);
		assert_result(&files[i]);
	}
}

/* A file of another lane leaves, and its neighbours stay. */
static void test_other_lane(Fixture *f, gconstpointer data)
{
	enum { N = 12 };
	SmallFile files[N];
	converter_collect(f->converter, true);
	for (unsigned i = 0; i < N; i++) {
		files[i] = (SmallFile){.verb = "fine"};
		submit(f, &files[i], i % 4 == 2 ? "x.md" : "x.txt");
	}
	converter_collect(f->converter, false);
	while (converter_in_work(f->converter) > 0)
		g_main_context_iteration(NULL, TRUE);
	for (unsigned i = 0; i < N; i++)
		assert_result(&files[i]);
}

/* Files without a byte have no text, and do not disturb those with one. */
static void test_empty(Fixture *f, gconstpointer data)
{
	SmallFile files[] = {{.verb = "fine"}, {.verb = ""}, {.verb = "fine"}};
	run(f, files, G_N_ELEMENTS(files));
	g_assert_cmpuint(files[1].done, ==, 1);
	g_clear_pointer(&files[1].doc, document_free);
	assert_result(&files[0]);
	assert_result(&files[2]);
}

int main(int argc, char **argv)
{
	converter_test_init(&argc, &argv);
	for (guint i = 0; i < G_N_ELEMENTS(bad_files); i++) {
		g_autofree char *path = g_strconcat(
		        "/extractors/shared-message/neighbour/", bad_files[i].verb, NULL);
		g_test_add(path, Fixture, GUINT_TO_POINTER(i + 1), fixture_up, test_bad_neighbour,
		        fixture_down);
	}
	g_test_add("/extractors/shared-message/many", Fixture, NULL, fixture_up, test_many,
	        fixture_down);
	g_test_add("/extractors/shared-message/other-lane", Fixture, NULL, fixture_up,
	        test_other_lane, fixture_down);
	g_test_add("/extractors/shared-message/empty", Fixture, NULL, fixture_up, test_empty,
	        fixture_down);
	return g_test_run();
}
