/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/printer.h"
#include "ui-cli/app/last-search.h"
#include <string.h>
#include <sys/stat.h>

static const Screen pipe_screen = {.width = 80};
static const Screen terminal = {.terminal = true, .width = 60};
static const Screen colored = {.terminal = true, .color = true, .width = 60};

/* The strings are constants, so nothing is freed. */
static Hit plain_hit(const char *path)
{
	Hit hit = {.score = 7.25, .distance = -1};
	hit.info = (Info){.document = 123,
	        .path = (char *)path,
	        .state = STATE_OK,
	        .mime = (char *)"application/pdf",
	        .has_checksum = true};
	hit.info.stat = (EntryStat){.kind = ENTRY_FILE,
	        .size = 1234,
	        .mode = 0644,
	        .uid = 1000,
	        .gid = 100,
	        .mtime_ns = G_GINT64_CONSTANT(1772359200000000000)};
	return hit;
}

static char *print(
        const Printer *printer, const Screen *screen, const Hit *hit, const GPtrArray *snippets)
{
	GString *out = g_string_new(NULL);
	ShownHit shown = {hit, 3, snippets};
	if (printer->head)
		printer->head(screen, out, &shown);
	printer->hit(screen, out, &shown);
	return g_string_free(out, FALSE);
}

static GPtrArray *one_snippet(const char *text, uint32_t from, uint32_t to)
{
	GPtrArray *snippets = g_ptr_array_new();
	Snippet *snippet = g_new0(Snippet, 1);
	snippet->field = "body";
	snippet->page = 12;
	snippet->text = g_strdup(text);
	snippet->marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_array_append_val(snippet->marks, from);
	g_array_append_val(snippet->marks, to);
	g_ptr_array_add(snippets, snippet);
	return snippets;
}

static void free_snippets(GPtrArray *snippets)
{
	Snippet *snippet = snippets->pdata[0];
	g_free(snippet->text);
	g_free(snippet->heading);
	g_array_unref(snippet->marks);
	g_free(snippet);
	g_ptr_array_unref(snippets);
}

static void test_pipe_is_raw(void)
{
	Hit hit = plain_hit("/a\033b");
	hit.info.member = (char *)"in/c\xff";
	g_autofree char *text = print(&print_pipe, &pipe_screen, &hit, NULL);
	g_assert_cmpstr(text, ==, "/a\033b|in/c\xff\n");
}

static void test_paths_on_a_terminal_are_escaped(void)
{
	Hit hit = plain_hit("/a\033b\nc\xff");
	g_autofree char *text = print(&print_pipe, &terminal, &hit, NULL);
	g_assert_cmpstr(text, ==, "/a\\x1bb\\nc\\xff\n");
}

static void test_null_is_exact(void)
{
	Hit hit = plain_hit("/a\nb");
	GString *out = g_string_new(NULL);
	ShownHit shown = {&hit, 1, NULL};
	print_null.hit(&terminal, out, &shown);
	g_assert_cmpmem(out->str, out->len, "/a\nb", 5);
	g_string_free(out, TRUE);
}

static void test_place_of_a_field(void)
{
	GPtrArray *snippets = one_snippet("ann@example.org", 0, 3);
	Snippet *snippet = snippets->pdata[0];
	snippet->page = 0;
	snippet->field = "to";
	g_autoptr(GArray) marks = NULL;
	g_autofree char *line = snippet_line(snippet, &marks);
	g_assert_cmpstr(line, ==, "to: ann@example.org");
	g_assert_cmpuint(g_array_index(marks, uint32_t, 0), ==, 4);
	free_snippets(snippets);
}

static void test_json_has_every_key(void)
{
	Hit hit = plain_hit("/home/u/a.zip");
	GPtrArray *snippets = one_snippet("some found text", 5, 10);
	hit.info.member = (char *)"b/c.pdf";
	hit.info.member_size = 99;
	hit.info.title = (char *)"A \"title\"";
	hit.info.date = 1772186400;
	g_autofree char *text = print(&print_json, &pipe_screen, &hit, snippets);
	g_assert_cmpstr(text, ==,
	        "{\"type\":\"hit\",\"rank\":3,\"id\":123,\"path\":\"/home/u/"
	        "a.zip\",\"path_b64\":null,"
	        "\"member\":\"b/c.pdf\",\"uri\":\"file:///home/u/"
	        "a.zip\",\"url\":null,\"source\":\"file\",\"title\":\"A "
	        "\\\"title\\\"\","
	        "\"author\":null,\"mime\":\"application/"
	        "pdf\",\"kind\":\"document\",\"lang\":null,\"size\":99,"
	        "\"mtime\":\"2026-03-01T10:00:00Z\",\"date\":\"2026-02-27T10:00:00Z\",\"uid\":1000,"
	        "\"gid\":100,"
	        "\"mode\":\"0644\",\"checksum\":\"00000000000000000000000000000000\",\"score\":7."
	        "25,"
	        "\"snippets\":[{\"field\":\"body\",\"page\":12,\"line\":null,\"heading\":null,"
	        "\"text\":\"some found text\","
	        "\"marks\":[[5,10]]}],\"copies\":[],\"state\":\"ok\"}\n");
	free_snippets(snippets);
}

static void test_title_of_a_member(void)
{
	Hit hit = plain_hit("/a/mail.zip");
	hit.info.title = NULL;
	hit.info.member = g_strdup("inbox/2.eml|Travel costs.txt");
	g_assert_cmpstr(hit_title(&hit), ==, "Travel costs.txt");
	g_free(hit.info.member);
	hit.info.member = g_strdup("inbox/2.eml");
	g_assert_cmpstr(hit_title(&hit), ==, "2.eml");
	g_free(hit.info.member);
}

static void test_place_has_the_headings(void)
{
	Hit hit = plain_hit("/a");
	GPtrArray *snippets = one_snippet("some found text", 5, 10);
	Snippet *snippet = snippets->pdata[0];
	snippet->heading = g_strdup("Installing \xe2\x80\xba From \xe2\x80\xae source");
	g_autofree char *place = snippet_place(snippet);
	g_assert_cmpstr(
	        place, ==, "p. 12 \xc2\xb7 Installing \xe2\x80\xba From \xe2\x80\xae source");
	g_autofree char *block = print(&print_terminal, &terminal, &hit, snippets);
	g_assert_nonnull(
	        strstr(block, "p. 12 \xc2\xb7 Installing \xe2\x80\xba From \\u{202e} source\n"));
	g_autofree char *json = print(&print_json, &pipe_screen, &hit, snippets);
	g_assert_nonnull(strstr(json, "\"heading\":\"Installing \xe2\x80\xba From "));
	g_autofree char *line = print(&print_passages, &pipe_screen, &hit, snippets);
	g_assert_cmpstr(line, ==, "/a\t12\t\tInstalling \xe2\x80\xba From \xe2\x80\xae source\n");
	free_snippets(snippets);
}

/* A long path of headings must not hide the text. */
static void test_place_is_short(void)
{
	GPtrArray *snippets = one_snippet("some found text", 5, 10);
	Snippet *snippet = snippets->pdata[0];
	g_autoptr(GString) path = g_string_new("outer");
	for (int i = 0; i < 5; i++)
		g_string_append_printf(
		        path, " \xe2\x80\xba a heading of middling length, number %d", i);
	snippet->heading = g_strdup(path->str);
	g_autofree char *place = snippet_place(snippet);
	g_assert_cmpstr(place, ==,
	        "p. 12 \xc2\xb7 \xe2\x80\xa6 \xe2\x80\xba a heading of middling length, number 3 "
	        "\xe2\x80\xba a heading of middling length, number 4");
	free_snippets(snippets);
}

static void test_json_path_is_exact(void)
{
	Hit hit = plain_hit("/b\xff");
	hit.info.stale = true;
	g_autofree char *text = print(&print_json, &pipe_screen, &hit, NULL);
	g_assert_nonnull(strstr(text, "\"path\":\"/b\uFFFD\",\"path_b64\":\"L2L/\","));
	g_assert_nonnull(strstr(text, "\"uri\":\"file:///b%FF\""));
	g_assert_nonnull(strstr(text, "\"snippets\":[]"));
	g_assert_nonnull(strstr(text, "\"state\":\"stale\""));
}

static void test_json_frame(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) hits = g_ptr_array_new();
	SearchResult result = {
	        .hits = hits, .total = 12, .pending = 1, .failed = 2, .offline = 3, .truncated = 4};
	char *notes[] = {(char *)"one", (char *)"two", NULL};
	print_json.begin(&pipe_screen, out, &result, "a b", notes);
	print_json.end(&pipe_screen, out, &result, 2.6);
	g_assert_cmpstr(out->str, ==,
	        "{\"type\":\"begin\",\"format\":1,\"query\":\"a "
	        "b\",\"total\":12,\"total_exact\":false,\"notes\":[\"one\",\"two\"]}\n"
	        "{\"type\":\"end\",\"shown\":0,\"ms\":3,\"pending\":1,\"failed\":2,\"offline\":3,"
	        "\"truncated\":4}"
	        "\n");
}

static void test_block_has_title_path_facts_snippet(void)
{
	Hit hit = plain_hit("/home/u/paper.pdf");
	GPtrArray *snippets = one_snippet("some found text", 5, 10);
	hit.info.title = (char *)"On \033]0;x\007 titles";
	g_autofree char *text = print(&print_terminal, &terminal, &hit, snippets);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_assert_cmpstr(lines[0], ==, "  3 On \\x1b]0;x\\x07 titles");
	g_assert_cmpstr(lines[1], ==, "    /home/u/paper.pdf");
	g_assert_true(g_str_has_prefix(lines[2], "    2026-03-01 10:00 · 1.2"));
	g_assert_cmpstr(lines[3], ==, "    p. 12: some found text");
	g_assert_cmpstr(lines[4], ==, "");
	free_snippets(snippets);
}

static void test_facts_of_near_copies_come_first(void)
{
	static const char mime[] =
	        "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
	Hit hit = plain_hit("/home/u/letter.docx");
	hit.info.mime = (char *)mime;
	hit.info.author = (char *)"Ann";
	hit.distance = 3;
	hit.similarity = 0.999;
	hit.likeness = 0.5;
	hit.copies = g_ptr_array_new();
	g_ptr_array_add(hit.copies, (char *)"/copy");
	hit.info.truncated = true;
	g_autofree char *facts = hit_facts(&hit);
	const char *size = strstr(facts, " · 1.2");
	g_assert_nonnull(size);
	g_assert_cmpstr(strstr(facts, " · 99"), ==,
	        " · 99 % similar · 50 % the same subject · +1 copy · truncated · "
	        "application/vnd.openxmlformats-officedocument.wordprocessingml.document · Ann");
	g_ptr_array_unref(hit.copies);
}

static void test_only_equal_texts_are_wholly_similar(void)
{
	Hit hit = plain_hit("/home/u/letter.txt");
	hit.similarity = 1;
	for (hit.distance = 0; hit.distance < 2; hit.distance++) {
		g_autofree char *facts = hit_facts(&hit);
		g_assert_nonnull(strstr(facts, hit.distance == 0 ? "100 % sim" : " 99 % sim"));
	}
}

static void test_block_marks_words(void)
{
	Hit hit = plain_hit("/home/u/paper.pdf");
	GPtrArray *snippets = one_snippet("some found text", 5, 10);
	g_autofree char *text = print(&print_terminal, &colored, &hit, snippets);
	g_assert_nonnull(strstr(text, "    p. 12: some \033[1;33mfound\033[0m text\n"));
	g_assert_nonnull(strstr(text, "paper.pdf"));
	free_snippets(snippets);
}

static void test_last_search_is_kept_privately(void)
{
	g_autofree char *dir = g_dir_make_tmp("tarsier-XXXXXX", NULL);
	g_autofree char *socket = g_build_filename(dir, "ctl", NULL);
	g_autofree char *files = g_build_filename(dir, "last-search", NULL);
	Hit one = plain_hit("/one\n"), two = plain_hit("/two");
	g_autoptr(GPtrArray) hits = g_ptr_array_new();
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ViewerPlace));
	const ViewerPlace place = {7, 0};
	SearchResult result = {.hits = hits};
	struct stat st;
	g_assert_null(last_search_load(socket, dir));
	two.info.member = (char *)"inner";
	g_ptr_array_add(hits, &one);
	g_ptr_array_add(hits, &two);
	g_array_append_val(places, place);
	last_search_save(socket, dir, "heron", &result, places, 21);
	g_autoptr(GDir) names = g_dir_open(files, 0, NULL);
	g_autofree char *file = g_build_filename(files, g_dir_read_name(names), NULL);
	g_assert_cmpint(stat(file, &st), ==, 0);
	g_assert_cmpuint(st.st_mode & 0777, ==, 0600);
	g_autoptr(LastSearch) last = last_search_load(socket, dir);
	g_assert_cmpstr(last->key, ==, "heron");
	g_assert_cmpstr(last_search_hit(last, 21)->path, ==, "/one\n");
	g_assert_null(last_search_hit(last, 21)->member);
	g_assert_cmpuint(last_search_hit(last, 21)->place.page, ==, 7);
	g_assert_cmpstr(last_search_hit(last, 22)->path, ==, "/two");
	g_assert_cmpstr(last_search_hit(last, 22)->member, ==, "inner");
	g_assert_cmpuint(last_search_hit(last, 22)->place.page, ==, 0);
	g_assert_null(last_search_hit(last, 1));
	g_assert_null(last_search_hit(last, 23));
	g_assert_null(last_search_hit(last, G_MAXUINT64));
}

/* The file is believed only as far as it is complete. */
static void test_last_search_that_is_damaged(void)
{
	static const char *const texts[] = {"", "x", "1", "99999999999999999999", "-1"};
	g_autofree char *dir = g_dir_make_tmp("tarsier-XXXXXX", NULL);
	g_autofree char *socket = g_build_filename(dir, "ctl", NULL);
	g_autofree char *files = g_build_filename(dir, "last-search", NULL);
	g_autoptr(GPtrArray) hits = g_ptr_array_new();
	SearchResult result = {.hits = hits};
	last_search_save(socket, dir, "heron", &result, NULL, 1);
	g_autoptr(GDir) names = g_dir_open(files, 0, NULL);
	g_autofree char *file = g_build_filename(files, g_dir_read_name(names), NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_assert_true(g_file_set_contents(file, texts[i], -1, NULL));
		g_autoptr(LastSearch) last = last_search_load(socket, dir);
		g_assert_cmpuint(last->hits->len, ==, 0);
		g_assert_null(last_search_hit(last, 0));
		g_assert_null(last_search_hit(last, 1));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/print/a-pipe-gets-raw-paths", test_pipe_is_raw);
	g_test_add_func(
	        "/cli/print/paths-on-a-terminal-are-escaped", test_paths_on_a_terminal_are_escaped);
	g_test_add_func("/cli/print/nul-output-is-exact", test_null_is_exact);
	g_test_add_func("/cli/print/snippet-names-its-field", test_place_of_a_field);
	g_test_add_func("/cli/print/title-of-a-member", test_title_of_a_member);
	g_test_add_func("/cli/print/json-has-every-key", test_json_has_every_key);
	g_test_add_func("/cli/print/place-has-the-headings", test_place_has_the_headings);
	g_test_add_func("/cli/print/place-is-short", test_place_is_short);
	g_test_add_func("/cli/print/json-path-is-exact", test_json_path_is_exact);
	g_test_add_func("/cli/print/json-begins-and-ends-with-objects", test_json_frame);
	g_test_add_func(
	        "/cli/print/facts-of-near-copies-come-first", test_facts_of_near_copies_come_first);
	g_test_add_func("/cli/print/only-equal-texts-are-wholly-similar",
	        test_only_equal_texts_are_wholly_similar);
	g_test_add_func("/cli/print/block-has-title-path-facts-snippet",
	        test_block_has_title_path_facts_snippet);
	g_test_add_func("/cli/print/block-marks-words", test_block_marks_words);
	g_test_add_func("/cli/last-search/kept-privately", test_last_search_is_kept_privately);
	g_test_add_func("/cli/last-search/damaged", test_last_search_that_is_damaged);
	return g_test_run();
}
