/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the client, the sandboxed program and its children together, with a plugin that attacks
 * them. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "tests/extractors/converter-test.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_fine(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = convert(f, "fine", "x.txt");
	g_assert_cmpstr(doc->mime, ==, "text/plain");
	g_assert_cmpstr(doc->extractor, ==, "hostile");
	g_assert_cmpuint(doc->version, ==, 7);
	g_assert_cmpstr(document_fact(doc, FIELD_TITLE), ==, "Fine");
	g_assert_null(doc->member);
	g_assert_cmpuint(g_array_index(doc->runs, DocRun, 0).flags, ==, DOC_RUN_BLOCK);
}

static void test_info(Fixture *f, gconstpointer data)
{
	const ConverterInfo *info = converter_info(f->converter);
	g_assert_cmpuint(info->n_plugins, ==, 2);
	g_assert_cmpstr(info->plugins[0].name, ==, "hostile");
	g_assert_true(info->plugins[0].usable);
	g_assert_cmpstr(info->plugins[0].mime_types[0], ==, "text/plain");
	g_assert_cmpstr(info->plugins[1].name, ==, "hostile-own");
}

static void test_purpose(Fixture *f, gconstpointer data)
{
	ConvertRequest request = request_of("purpose", "x.txt");
	g_autoptr(Document) plain = converter_run(f->converter, &request, NULL);
	g_assert_cmpstr(plain->mime, ==, "text/plain");
	g_assert_cmpstr(plain->text->str, ==, "0 ");
	request = request_of("purpose", "x.txt");
	request.purpose = JOB_PAGE;
	request.url = "https://example.org/x.txt";
	g_autoptr(Document) page = converter_run(f->converter, &request, NULL);
	g_assert_cmpstr(page->mime, ==, "text/plain");
	g_assert_cmpstr(page->text->str, ==, "1 https://example.org/x.txt");
	/* neither the content nor the name, which belongs to another lane, counts */
	request = request_of("purpose", "x.md");
	request.purpose = JOB_FEED;
	request.url = "https://example.org/feed";
	g_autoptr(Document) feed = converter_run(f->converter, &request, NULL);
	g_assert_cmpstr(feed->mime, ==, FEED_TYPE);
	g_assert_cmpstr(feed->text->str, ==, "4 https://example.org/feed");
}

/* ---- the death of a child */

static void assert_fails(Fixture *f, const char *verb, DocReason reason)
{
	g_autoptr(Document) cheap = convert(f, verb, "x.txt");
	g_assert_cmpint(cheap->state, ==, STATE_FAILED);
	g_assert_cmpstr(document_reason_name(cheap->reason), ==, document_reason_name(reason));
	g_autoptr(Document) own = convert(f, verb, "x.md");
	g_assert_cmpstr(document_reason_name(own->reason), ==, document_reason_name(reason));
	assert_fine(f);
}

static void test_crash(Fixture *f, gconstpointer verb)
{
	assert_fails(f, verb, REASON_CRASHED);
}

/* ---- a new layout of addresses after a crash */

static void test_new_layout(Fixture *f, gconstpointer verb)
{
	if (!has_random_layout())
		return;
	g_autofree char *before = layout_of(f), *again = layout_of(f), *after = NULL;
	g_assert_cmpstr(before, ==, again);
	g_autoptr(Document) doc = convert(f, verb, "x.md");
	g_assert_cmpint(doc->state, ==, STATE_FAILED);
	after = new_layout(f, before);
	g_auto(GStrv) old = g_strsplit(before, " ", -1), new = g_strsplit(after, " ", -1);
	for (unsigned i = 0; i < 3; i++)
		g_assert_cmpstr(old[i], !=, new[i]);
}

/* Files that crash one after the other must not cost a start each. */
static void test_few_layouts(Fixture *f, gconstpointer data)
{
	if (!has_random_layout())
		return;
	int64_t began_us = g_get_monotonic_time();
	g_autoptr(GHashTable) layouts =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (unsigned i = 0; i < 50; i++) {
		g_autoptr(Document) doc = convert(f, "segv", "x.md");
		g_hash_table_add(layouts, layout_of(f));
	}
	int64_t seconds = (g_get_monotonic_time() - began_us) / G_USEC_PER_SEC;
	g_assert_cmpuint(g_hash_table_size(layouts), <=, 2 + seconds);
}

static void test_last_words(Fixture *f, gconstpointer data)
{
#ifdef __SANITIZE_ADDRESS__
	g_test_skip("the address sanitizer takes the signals");
#else
	g_autoptr(Document) doc = convert(f, "last-words", "x.txt");
	g_assert_cmpint(doc->reason, ==, REASON_CRASHED);
	g_assert_cmpstr(doc->text->str, ==, "said before");
	assert_fine(f);
#endif
}

static void test_protocol(Fixture *f, gconstpointer verb)
{
	assert_fails(f, verb, REASON_PROTOCOL);
}

static void test_memory(Fixture *f, gconstpointer verb)
{
#ifdef __SANITIZE_ADDRESS__
	g_test_skip("the address sanitizer needs all of the address space");
#else
	assert_fails(f, verb, REASON_LIMIT_MEMORY);
#endif
}

static void test_time(Fixture *f, gconstpointer verb)
{
	ConvertRequest request = request_of(verb, "x.txt");
	request.limits.wall_ms = 300;
	int64_t before_us = g_get_monotonic_time();
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_TIME);
	g_assert_cmpint(g_get_monotonic_time() - before_us, >=, 300000);
	assert_fine(f);
}

static void test_closed_socket(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = convert(f, "close", "x.txt");
	g_assert_cmpint(doc->state, ==, STATE_FAILED);
	g_assert_cmpint(doc->reason, ==, REASON_PROTOCOL);
	assert_fine(f);
}

/* A child that sends a packet without a job is ended, and the packet counts for no job. */
static void test_late(Fixture *f, gconstpointer data)
{
	if (!sandboxed(f))
		return;
	g_autoptr(Document) doc = convert(f, "late", "x.txt");
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(doc->text->len, ==, 0);
	assert_fine(f);
}

/* ---- limits that the sink enforces */

static void test_text_limit(Fixture *f, gconstpointer data)
{
	ConvertRequest request = request_of("endless", "x.txt");
	request.limits.text_bytes = 100000;
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_true(doc->truncated);
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_TEXT);
	g_assert_cmpuint(doc->text->len, ==, 100000);
}

static void test_members_limit(Fixture *f, gconstpointer data)
{
	g_autoptr(GPtrArray) members =
	        g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	ConvertRequest request = request_of("many", "x.txt");
	request.limits.members = 50;
	g_autoptr(Document) doc = converter_run(f->converter, &request, members);
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_MEMBERS);
	g_assert_cmpuint(members->len, ==, 50);
	g_assert_cmpint(((Document *)members->pdata[0])->reason, ==, REASON_ENCRYPTED);
}

static void test_depth_limit(Fixture *f, gconstpointer data)
{
	g_autoptr(GPtrArray) members =
	        g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	ConvertRequest request = request_of("nested", "x.txt");
	request.limits.depth = 3;
	g_autoptr(Document) doc = converter_run(f->converter, &request, members);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(members->len, ==, 3);
	const Document *deepest = members->pdata[0];
	g_assert_cmpstr(deepest->member, ==, "in|in|in");
	g_assert_cmpint(deepest->reason, ==, REASON_LIMIT_DEPTH);
	g_assert_true(deepest->truncated);
}

static void test_dirty_text(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = convert(f, "dirty", "x.txt");
	g_assert_cmpstr(doc->text->str, ==,
	        "a b c\xef\xbf\xbd"
	        "d");
}

static void test_many_facts(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = convert(f, "tell-much", "x.txt");
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(doc->facts->len, ==, DOC_MAX_FACTS);
	g_assert_cmpstr(document_fact(doc, FIELD_LANGUAGE), ==, "en");
}

/* ---- members and further tries */

static void test_bad_member(Fixture *f, gconstpointer data)
{
	g_autoptr(GPtrArray) members =
	        g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	ConvertRequest request = request_of("container", "x.txt");
	g_autoptr(Document) doc = converter_run(f->converter, &request, members);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(members->len, ==, 3);
	const Document *one = members->pdata[0], *two = members->pdata[1],
	               *three = members->pdata[2];
	g_assert_cmpstr(one->text->str, ==, "all is fine");
	g_assert_cmpstr(two->member, ==, "two");
	g_assert_cmpint(two->state, ==, STATE_FAILED);
	g_assert_cmpint(two->reason, ==, REASON_CRASHED);
	g_assert_cmpstr(three->text->str, ==, "all is fine");
}

/* A file does not suffer from sharing its child with a file that took the child over. */
static void test_innocent(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) poison = convert(f, "poison", "x.txt");
	g_assert_cmpint(poison->state, ==, STATE_OK);
	ConvertRequest request = request_of("container", "x.txt");
	request.limits.wall_ms = 2000;
	g_autoptr(GPtrArray) members =
	        g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	g_autoptr(Document) doc = converter_run(f->converter, &request, members);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(members->len, ==, 3);
	g_assert_cmpint(((Document *)members->pdata[1])->reason, ==, REASON_CRASHED);
}

static void assert_text(Fixture *f, const char *verb, const char *scope, const char *wanted)
{
	ConvertRequest request = request_of(verb, "x.txt");
	request.scope = scope;
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpstr(doc->text->str, ==, wanted);
}

/* A file that takes a child over controls its whole scope, but nothing else. */
static void test_scopes(Fixture *f, gconstpointer data)
{
	assert_text(f, "forge", "downloads", "");
	assert_text(f, "fine", "downloads", "forged");
	for (unsigned i = 0; i < 20; i++) {
		g_autofree char *scope = g_strdup_printf("other %u", i);
		assert_text(f, "fine", scope, "all is fine");
	}
	assert_text(f, "fine", NULL, "all is fine");
}

/* The process IDs of a process's children, in the order of their starts. */
static char **child_pids(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%d/children", (int)pid, (int)pid);
	g_autofree char *text = NULL;
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return g_strsplit(g_strstrip(text), " ", -1);
}

/* The program that was started last; 0: none is running. */
static pid_t program_pid(void)
{
	g_auto(GStrv) pids = child_pids(getpid());
	guint n = g_strv_length(pids);
	return n > 0 ? atoi(pids[n - 1]) : 0;
}

static gboolean kill_program(gpointer data)
{
	kill(program_pid(), SIGKILL);
	return G_SOURCE_REMOVE;
}

static void test_program_dies(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) fine = convert(f, "fine", "x.txt"); /* the program is running */
	ConvertRequest request = request_of("hang", "x.txt");
	request.limits.wall_ms = 1000;
	g_test_expect_message("tarsier-common", G_LOG_LEVEL_MESSAGE, "*restarting it*");
	g_timeout_add(100, kill_program, NULL);
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_test_assert_expected_messages();
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_TIME);
	assert_fine(f);
}

/* Kills all children of the program that was started last. */
static gboolean kill_children(gpointer times)
{
	g_auto(GStrv) pids = child_pids(program_pid());
	for (char **pid = pids; *pid; pid++)
		if (atoi(*pid) > 0)
			kill(atoi(*pid), SIGKILL);
	return --*(unsigned *)times > 0;
}

/* The child is killed from outside, by a kernel without memory or by a person. The job is tried
 * again, but not for ever. */
static void test_killed(Fixture *f, gconstpointer data)
{
	static const struct {
		unsigned times;
		DocReason reason;
	} cases[] = {{1, REASON_LIMIT_TIME}, {2, REASON_LIMIT_TIME}, {3, REASON_LIMIT_MEMORY}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		ConvertRequest request = request_of("hang", "x.md");
		unsigned times = cases[i].times;
		assert_fine(f);
		request.limits.wall_ms = 1000;
		g_timeout_add(200, kill_children, &times);
		g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
		g_assert_cmpint(doc->reason, ==, cases[i].reason);
		g_assert_cmpuint(times, ==, 0);
	}
}

/* The program is dead, and the converter does not know it yet. */
static void test_program_died_unnoticed(Fixture *f, gconstpointer data)
{
	siginfo_t info;
	assert_fine(f);
	pid_t pid = program_pid();
	kill(pid, SIGKILL);
	g_assert_cmpint(waitid(P_PID, pid, &info, WEXITED | WNOWAIT), ==, 0);
	assert_fine(f);
}

typedef struct {
	unsigned documents, done, failed, given_up;
} Count;

static void count_document(Document *doc, void *data)
{
	((Count *)data)->documents++;
	document_free(doc);
}

static void count_done(const ConvertResult *result, void *data)
{
	((Count *)data)->done++;
	((Count *)data)->failed += result->state == STATE_FAILED;
	((Count *)data)->given_up += result->given_up;
}

/* Converts more documents than one child may convert; one in ten kills its child. */
static void test_many_jobs(Fixture *f, gconstpointer data)
{
	static const ConvertCallbacks callbacks = {.document = count_document, .done = count_done};
	Count count = {0};
	for (unsigned i = 0; i < 200; i++) {
		ConvertRequest request = request_of(i % 10 == 3 ? "exit" : "fine", "x.txt");
		converter_submit(f->converter, &request, &callbacks, &count);
	}
	g_assert_cmpuint(converter_in_work(f->converter), ==, 200);
	while (converter_in_work(f->converter) > 0)
		g_main_context_iteration(NULL, TRUE);
	g_assert_cmpuint(count.done, ==, 200);
	g_assert_cmpuint(count.failed, ==, 20);
	g_assert_cmpuint(count.documents, ==, 180);
}

static void submit_slowly(Fixture *f, Count *count)
{
	static const ConvertCallbacks callbacks = {.document = count_document, .done = count_done};
	ConvertRequest request = request_of("hang", "x.md");
	request.slow = true;
	converter_submit(f->converter, &request, &callbacks, count);
}

/* Slow jobs give way to waiting jobs, one at a time, and only if jobs wait. */
static void test_gives_way(Fixture *f, gconstpointer data)
{
	Count count = {0};
	assert_fine(f); /* the program is running */
	for (unsigned i = 0; i < 3; i++)
		submit_slowly(f, &count);
	g_assert_cmpuint(count.given_up, ==, 0);
	g_autoptr(Document) doc = convert(f, "fine", "x.md");
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpuint(count.given_up, ==, 1);
	g_assert_cmpuint(converter_in_work(f->converter), ==, 2);
	converter_yield(f->converter);
	g_assert_cmpuint(count.given_up, ==, 3);
	g_assert_cmpuint(converter_in_work(f->converter), ==, 0);
	assert_fine(f);
}

/* A converter that is freed with running and waiting jobs makes no callback. */
static void test_free_early(Fixture *f, gconstpointer data)
{
	static const ConvertCallbacks callbacks = {.document = count_document, .done = count_done};
	Count count = {0};
	for (unsigned i = 0; i < 5; i++) {
		ConvertRequest request = request_of("hang", "x.md");
		converter_submit(f->converter, &request, &callbacks, &count);
	}
	g_clear_pointer(&f->converter, converter_free);
	g_assert_cmpuint(count.done, ==, 0);
}

/* ---- few plugins, and no program */

static void set_up_light(Fixture *f, gconstpointer data)
{
	static const char *const light_plugins[] = {"hostile", NULL};
	const ConverterOptions options = {.children = 2, .light_plugins = light_plugins};
	g_autoptr(GError) error = NULL;
	f->converter = converter_start(&options, &error);
	g_assert_no_error(error);
}

/* A file that the few plugins cannot convert starts the full program. */
static void test_few_plugins(Fixture *f, gconstpointer data)
{
	g_assert_cmpuint(converter_info(f->converter)->n_plugins, ==, 1);
	g_autoptr(Document) cheap = convert(f, "fine", "x.txt");
	g_assert_cmpstr(cheap->extractor, ==, "hostile");
	g_autoptr(Document) empty = convert(f, "", "x.txt");
	g_assert_cmpint(empty->state, ==, STATE_NOTHING);
	g_assert_cmpuint(converter_info(f->converter)->n_plugins, ==, 1);
	g_autoptr(Document) own = convert(f, "fine", "x.md");
	g_assert_cmpstr(own->extractor, ==, "hostile-own");
	g_assert_cmpuint(converter_info(f->converter)->n_plugins, ==, 2);
	assert_fine(f);
}

static void test_mixed_members(Fixture *f, gconstpointer data)
{
	g_autoptr(GPtrArray) members =
	        g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	ConvertRequest request = request_of("mixed", "x.txt");
	g_autoptr(Document) doc = converter_run(f->converter, &request, members);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpstr(doc->text->str, ==, "all");
	g_assert_cmpuint(members->len, ==, 2);
	g_assert_cmpstr(((Document *)members->pdata[0])->extractor, ==, "hostile");
	g_assert_cmpstr(((Document *)members->pdata[1])->extractor, ==, "hostile-own");
}

static void set_up_restful(Fixture *f, gconstpointer data)
{
	const ConverterOptions options = {.children = 2, .idle_ms = 50};
	g_autoptr(GError) error = NULL;
	f->converter = converter_start(&options, &error);
	g_assert_no_error(error);
}

static gboolean stop_waiting(gpointer data)
{
	*(bool *)data = true;
	return G_SOURCE_REMOVE;
}

static void wait_ms(unsigned ms)
{
	bool over = false;
	g_timeout_add(ms, stop_waiting, &over);
	while (!over)
		g_main_context_iteration(NULL, TRUE);
}

/* Without conversions no process is left; a running job counts as a conversion. */
static void test_rest(Fixture *f, gconstpointer data)
{
	g_assert_cmpint(program_pid(), >, 0);
	wait_ms(500);
	g_assert_cmpint(program_pid(), ==, 0);
	g_assert_cmpuint(converter_info(f->converter)->n_plugins, ==, 2);
	assert_fine(f);
	g_autoptr(Document) mixed = convert(f, "mixed", "x.txt");
	g_assert_cmpint(mixed->state, ==, STATE_OK);
	ConvertRequest request = request_of("hang", "x.txt");
	request.limits.wall_ms = 400;
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_TIME);
	wait_ms(500);
	g_assert_cmpint(program_pid(), ==, 0);
	assert_fine(f);
}

static void test_no_program(void)
{
	const ConverterOptions options = {.children = 1};
	g_autoptr(GError) error = NULL;
	g_autofree char *before = g_strdup(g_getenv("TARSIER_EXTRACT"));
	g_setenv("TARSIER_EXTRACT", "/nonexistent/tarsier-extract", TRUE);
	Converter *none = converter_start(&options, &error);
	g_setenv("TARSIER_EXTRACT", "/bin/true", TRUE);
	g_assert_null(none);
	g_assert_nonnull(error);
	g_clear_error(&error);
	g_assert_null(converter_start(&options, &error));
	g_assert_nonnull(error);
	g_setenv("TARSIER_EXTRACT", before, TRUE);
}

typedef struct {
	const char *path;
	void (*test)(Fixture *f, gconstpointer data);
	const char *verb;
} Case;

static const Case cases[] = {
        {"a-crash-leads-to-new-addresses/signal", test_new_layout, "segv"},
        {"a-crash-leads-to-new-addresses/abort", test_new_layout, "abort"},
        {"a-crash-leads-to-new-addresses/forbidden-call", test_new_layout, "ptrace"},
        {"a-crash-leads-to-new-addresses/out-of-memory", test_new_layout, "segv-without-memory"},
        {"many-crashes-lead-to-few-starts", test_few_layouts},
        {"a-plain-job-is-converted", test_fine},
        {"plugins-are-listed", test_info},
        {"the-purpose-chooses-the-plugin", test_purpose},
        {"crash-is-contained/stack", test_crash, "stack"},
        {"crash-is-contained/exit", test_crash, "exit"},
        {"crash-is-contained/segv", test_crash, "segv"},
        {"crash-is-contained/abort", test_crash, "abort"},
        {"crash-is-contained/last-words", test_last_words},
        {"memory-limit-kills/malloc", test_memory, "allocate"},
        {"memory-limit-kills/glib", test_memory, "allocate-glib"},
        {"time-limit-kills/hang", test_time, "hang"},
        {"time-limit-kills/spin", test_time, "spin"},
        {"time-limit-kills/alive", test_time, "alive"},
        {"protocol-violation-is-caught/job", test_protocol, "job"},
        {"protocol-violation-is-caught/utf8", test_protocol, "utf8"},
        {"protocol-violation-is-caught/nesting", test_protocol, "nesting"},
        {"protocol-violation-is-caught/kind", test_protocol, "kind"},
        {"protocol-violation-is-caught/plugin", test_protocol, "plugin"},
        {"protocol-violation-is-caught/length", test_protocol, "length"},
        {"protocol-violation-is-caught/flood", test_protocol, "flood"},
        {"protocol-violation-is-caught/links", test_protocol, "links"},
        {"protocol-violation-is-caught/fields", test_protocol, "fields"},
        {"protocol-violation-is-caught/breaks", test_protocol, "breaks"},
        {"protocol-violation-is-caught/members", test_protocol, "members"},
        {"protocol-violation-is-caught/lanes", test_protocol, "lanes"},
        {"protocol-violation-is-caught/descriptor", test_protocol, "descriptor-sent"},
        {"protocol-violation-is-caught/late", test_late},
        {"protocol-violation-is-caught/closed-socket", test_closed_socket},
        {"limit-cuts/text", test_text_limit},
        {"limit-cuts/members", test_members_limit},
        {"limit-cuts/depth", test_depth_limit},
        {"dirty-text", test_dirty_text},
        {"many-facts", test_many_facts},
        {"bad-member", test_bad_member},
        {"innocent", test_innocent},
        {"scopes", test_scopes},
        {"a-dead-program-is-started-again", test_program_dies},
        {"a-killed-child-is-told-from-its-limits", test_killed},
        {"a-program-that-died-unnoticed-is-started-again", test_program_died_unnoticed},
        {"200-jobs-end", test_many_jobs},
        {"no-callback-comes-after-the-end", test_free_early},
        {"long-jobs-yield-one-at-a-time", test_gives_way},
};

int main(int argc, char **argv)
{
	converter_test_init(&argc, &argv);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = g_strconcat("/extractors/converter/", cases[i].path, NULL);
		g_test_add(path, Fixture, cases[i].verb, fixture_up, cases[i].test, fixture_down);
	}
	g_test_add("/extractors/converter/plugins-are-loaded-on-demand", Fixture, NULL,
	        set_up_light, test_few_plugins, fixture_down);
	g_test_add("/extractors/converter/members-go-to-their-lanes", Fixture, NULL, fixture_up,
	        test_mixed_members, fixture_down);
	g_test_add("/extractors/converter/members-go-to-lanes-loaded-on-demand", Fixture, NULL,
	        set_up_light, test_mixed_members, fixture_down);
	g_test_add("/extractors/converter/the-program-ends-when-idle", Fixture, NULL,
	        set_up_restful, test_rest, fixture_down);
	g_test_add_func("/extractors/converter/a-missing-program-is-reported", test_no_program);
	return g_test_run();
}
