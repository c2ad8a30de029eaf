/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-schedule.c - long and short jobs in one converter with few places */
#include <config.h>
#include "tests/extractors/converter-test.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
	unsigned documents, done;
	DocReason reason; /* of the last job that ended */
	const unsigned *other; /* or NULL */
	unsigned others; /* value of *other when the last job ended */
} Count;

static void on_document(Document *doc, void *data)
{
	((Count *)data)->documents++;
	document_free(doc);
}

static void on_done(const ConvertResult *result, void *data)
{
	Count *count = data;
	count->done++;
	count->reason = result->reason;
	count->others = count->other ? *count->other : 0;
}

static const ConvertCallbacks callbacks = {.document = on_document, .done = on_done};

static void submit(Fixture *f, const char *verb, bool urgent, unsigned wall_ms, Count *count)
{
	ConvertRequest request = request_of(verb, "x.md");
	request.urgent = urgent;
	request.limits.wall_ms = wall_ms;
	converter_submit(f->converter, &request, &callbacks, count);
}

static void wait_for(const unsigned *n, unsigned wanted)
{
	while (*n < wanted)
		g_main_context_iteration(NULL, TRUE);
}

enum { LONG_MS = 30000 };

/* Both places are taken by jobs that do not end. */
static void test_others(Fixture *f, gconstpointer data)
{
	Count hang = {0}, fine = {0};
	assert_fine(f); /* the programs are running */
	for (unsigned i = 0; i < 2; i++)
		submit(f, "hang", false, LONG_MS, &hang);
	for (unsigned i = 0; i < 20; i++)
		submit(f, "fine", i % 3 == 0, LONG_MS, &fine);
	wait_for(&fine.done, 20);
	g_assert_cmpuint(fine.documents, ==, 20);
	g_assert_cmpuint(hang.done, ==, 0);
	g_assert_cmpuint(converter_in_work(f->converter), ==, 2);
}

/* A suspended job has its whole time limit after it resumes, and ends. */
static void test_all_end(Fixture *f, gconstpointer data)
{
	Count hang = {0}, spin = {0};
	for (unsigned i = 0; i < 6; i++)
		submit(f, i % 2 ? "hang" : "spin", i % 2, 1200, i % 2 ? &hang : &spin);
	wait_for(&hang.done, 3);
	wait_for(&spin.done, 3);
	g_assert_cmpint(hang.reason, ==, REASON_LIMIT_TIME);
	g_assert_cmpint(spin.reason, ==, REASON_LIMIT_TIME);
	g_assert_cmpuint(converter_in_work(f->converter), ==, 0);
	assert_fine(f);
}

/* The program is replaced after a crash; the job that another child of it runs goes on. */
static void test_crash(Fixture *f, gconstpointer data)
{
	Count hang = {0};
	if (!has_random_layout())
		return;
	g_autofree char *before = layout_of(f);
	submit(f, "hang", false, LONG_MS / 6, &hang);
	g_autoptr(Document) doc = convert(f, "segv", "x.md");
	g_assert_cmpint(doc->reason, ==, REASON_CRASHED);
	g_autofree char *after = new_layout(f, before);
	g_assert_cmpstr(before, !=, after);
	g_assert_cmpuint(hang.done, ==, 0);
	wait_for(&hang.done, 1);
	g_assert_cmpint(hang.reason, ==, REASON_LIMIT_TIME);
}

/* With one place: two may become free at once, and then it is chance which of two jobs ends first.
 */
static void test_urgent_first(Fixture *f, gconstpointer data)
{
	Count hang = {0}, leisure = {0}, urgent = {.other = &leisure.done};
	for (unsigned i = 0; i < 2; i++)
		submit(f, "hang", true, LONG_MS, &hang);
	for (unsigned i = 0; i < 3; i++)
		submit(f, "fine", false, LONG_MS, &leisure);
	submit(f, "fine", true, LONG_MS, &urgent);
	wait_for(&urgent.done, 1);
	g_assert_cmpuint(urgent.others, ==, 0);
	wait_for(&leisure.done, 3);
	g_assert_cmpuint(hang.done, ==, 0);
}

static gboolean set_true(gpointer data)
{
	*(bool *)data = true;
	return G_SOURCE_REMOVE;
}

static void run_for(unsigned ms)
{
	bool over = false;
	g_timeout_add(ms, set_true, &over);
	while (!over)
		g_main_context_iteration(NULL, TRUE);
}

/* A held job keeps its place. */
static void test_held(Fixture *f, gconstpointer data)
{
	Count hang = {0}, fine = {0};
	assert_fine(f); /* the programs are running */
	for (unsigned i = 0; i < 2; i++)
		submit(f, "hang", false, LONG_MS, &hang);
	run_for(300);
	converter_hold(f->converter, true);
	submit(f, "fine", true, LONG_MS, &fine);
	run_for(1200);
	g_assert_cmpuint(fine.done, ==, 0);
	converter_hold(f->converter, false);
	wait_for(&fine.done, 1);
	g_assert_cmpuint(hang.done, ==, 0);
}

/* Few large files are started, and smaller ones preempt them. */
static void submit_large(Fixture *f, const char *verb, Count *count)
{
	ConvertRequest request = request_of(verb, "x.md");
	request.size = 5 << 20;
	g_autofree char *text = g_strnfill(request.size, 'x');
	memcpy(text, verb, strlen(verb));
	close(request.fd);
	request.fd = memfd_create("input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	g_assert_cmpint(write(request.fd, text, request.size), ==, request.size);
	g_assert_cmpint(
	        fcntl(request.fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW), ==, 0);
	converter_submit(f->converter, &request, &callbacks, count);
}

static void test_large(Fixture *f, gconstpointer data)
{
	Count hang = {0}, fine = {0};
	assert_fine(f); /* the programs are running */
	for (unsigned i = 0; i < 8; i++)
		submit_large(f, "hang\n", &hang);
	run_for(1200);
	for (unsigned i = 0; i < 5; i++)
		submit(f, "fine", i % 2, LONG_MS, &fine);
	wait_for(&fine.done, 5);
	g_assert_cmpuint(fine.documents, ==, 5);
	g_assert_cmpuint(hang.done, ==, 0);
}

/* A large file preempts two that do not end. */
static void test_large_passes(Fixture *f, gconstpointer data)
{
	Count hang = {0}, fine = {0};
	for (unsigned i = 0; i < 2; i++)
		submit_large(f, "hang\n", &hang);
	submit_large(f, "fine\n", &fine);
	wait_for(&fine.done, 1);
	g_assert_cmpuint(fine.documents, ==, 1);
	g_assert_cmpuint(hang.done, ==, 0);
}

/* ---- pages share the child of their site */

typedef struct {
	const char *site;
	GString *order; /* of the sites whose pages have ended */
} PageOfSite;

static void on_page_document(Document *doc, void *data)
{
	document_free(doc);
}

static void on_page_done(const ConvertResult *result, void *data)
{
	const PageOfSite *page = data;
	g_string_append(page->order, page->site);
}

static void submit_page(Fixture *f, const PageOfSite *page, JobPurpose purpose)
{
	static const ConvertCallbacks page_callbacks = {
	        .document = on_page_document, .done = on_page_done};
	ConvertRequest request = request_of("fine", "x.txt");
	request.purpose = purpose;
	request.scope = page->site;
	converter_submit(f->converter, &request, &page_callbacks, (void *)page);
}

/* Jobs of two scopes in turn, with one place. Returns the order in which they end. */
static char *order_of(Fixture *f, JobPurpose purpose)
{
	GString *order = g_string_new(NULL);
	const PageOfSite pages[] = {{"a", order}, {"b", order}};
	assert_fine(f); /* the program is running */
	for (unsigned i = 0; i < 6; i++)
		submit_page(f, &pages[i % 2], purpose);
	while (order->len < 6)
		g_main_context_iteration(NULL, TRUE);
	return g_string_free(order, FALSE);
}

static void test_pages_of_a_site(Fixture *f, gconstpointer data)
{
	g_autofree char *pages = order_of(f, JOB_PAGE);
	g_autofree char *files = order_of(f, JOB_FILE);
	g_assert_cmpstr(pages, ==, "aaabbb");
	g_assert_cmpstr(files, ==, "ababab");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *path;
		void (*test)(Fixture *, gconstpointer);
		unsigned places; /* 0: two */
	} cases[] = {
	        {"/extractors/time-slices/short-jobs-pass-long-ones", test_others},
	        {"/extractors/time-slices/every-job-ends", test_all_end},
	        {"/extractors/time-slices/urgent-jobs-come-first", test_urgent_first, 1},
	        {"/extractors/time-slices/jobs-outlive-a-crash-beside-them", test_crash},
	        {"/extractors/time-slices/a-held-converter-starts-no-job", test_held},
	        {"/extractors/time-slices/short-jobs-pass-large-ones", test_large},
	        {"/extractors/time-slices/a-large-job-passes-a-large-one", test_large_passes},
	        {"/extractors/time-slices/pages-share-the-child-of-their-site",
	                test_pages_of_a_site, 1},
	};
	converter_test_init(&argc, &argv);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_test_add(cases[i].path, Fixture, GUINT_TO_POINTER(cases[i].places), fixture_up,
		        cases[i].test, fixture_down);
	return g_test_run();
}
