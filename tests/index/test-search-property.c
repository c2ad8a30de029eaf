/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-search-property.c - compares the search of random condition trees over a few hundred random
 * entries with a judge that evaluates each entry by itself */
#include <config.h>
#include "index/search/search-private.h"
#include "index/text/tokenizer.h"
#include "common/base/text.h"
#include "tests/index/search-test.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 250, QUERIES = 200, AT_ONCE = 4000 };

/* The facts that the judge knows about a pair of entry and document. */
typedef struct {
	char *path; /* relative to the root */
	char *member; /* or NULL */
	bool document, directory, pending;
	char *title, *heading, *body; /* words; "" for none */
	char *mime;
	int64_t size, mtime;
} Item;

typedef struct {
	Tree tree;
	GPtrArray *items;
	GRand *rand;
	guint cut; /* number of searches by date that did not look all matches up */
} World;

static const char *const vocabulary[] = {
        "alpha", "beta", "gamma", "delta", "alphabet", "zeta", "eta", "theta"};
static const char *const extensions[] = {"txt", "pdf", "html"};

static const char *pick(World *w)
{
	return vocabulary[g_rand_int_range(w->rand, 0, G_N_ELEMENTS(vocabulary))];
}

static char *pick_words(World *w, int max, const char *separator)
{
	GString *out = g_string_new(NULL);
	for (int n = g_rand_int_range(w->rand, 0, max + 1); n > 0; n--)
		g_string_append_printf(out, "%s%s", out->len > 0 ? separator : "", pick(w));
	return g_string_free(out, FALSE);
}

static void free_item(void *data)
{
	Item *item = data;
	g_free(item->path);
	g_free(item->member);
	g_free(item->title);
	g_free(item->heading);
	g_free(item->body);
	g_free(item->mime);
	g_free(item);
}

static Item *item_new(const char *path, const Entry *entry)
{
	Item *item = g_new0(Item, 1);
	item->path = g_strdup(path);
	item->directory = entry->stat.kind == ENTRY_DIR;
	item->size = entry->stat.size;
	item->mtime = entry->stat.mtime_ns / 1000000000;
	item->title = g_strdup("");
	item->heading = g_strdup("");
	item->body = g_strdup("");
	return item;
}

/* One of few minutes, so that dates are equal. */
static int64_t pick_time(World *w)
{
	return G_GINT64_CONSTANT(1600000000) + 60 * g_rand_int_range(w->rand, 0, 50);
}

static void add_date(World *w, Document *doc)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(pick_time(w));
	g_autofree char *text = g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ");
	document_add_fact(doc, FIELD_DATE, text, strlen(text));
}

/* Returns the document of an item. */
static Document *document_for(World *w, Item *item)
{
	Document *doc = document_new(item->member);
	item->document = true;
	g_free(item->title);
	g_free(item->heading);
	g_free(item->body);
	item->title = pick_words(w, 2, " ");
	item->heading = pick_words(w, 2, " ");
	item->body = pick_words(w, 6, " ");
	item->mime = g_strdup(g_rand_boolean(w->rand) ? "text/plain" : "application/pdf");
	doc->mime = g_strdup(item->mime);
	if (g_rand_int_range(w->rand, 0, 4) == 0)
		add_date(w, doc);
	if (*item->title)
		document_add_fact(doc, FIELD_TITLE, item->title, strlen(item->title));
	if (*item->heading)
		document_add_text(
		        doc, TAG_HEADING1, DOC_RUN_BLOCK, item->heading, strlen(item->heading));
	if (*item->body)
		document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, item->body, strlen(item->body));
	if (!*item->title) { /* index/text/real-title.h */
		g_free(item->title);
		item->title = g_strdup(item->heading);
	}
	return doc;
}

static void make_container(World *w, const Entry *entry, Item *own, const char *content)
{
	Item *first = item_new(own->path, entry), *second = item_new(own->path, entry);
	first->member = g_strdup_printf("%s.txt", pick(w));
	second->member = g_strdup_printf("in/%s-%s.pdf", pick(w), pick(w));
	first->size = second->size = -1;
	g_ptr_array_add(w->items, first);
	g_ptr_array_add(w->items, second);
	Document *whole = document_for(w, own), *a = document_for(w, first),
	         *b = document_for(w, second);
	a->member_size = b->member_size = -1;
	a->member_mtime_ns = pick_time(w) * 1000000000;
	tree_convert(&w->tree, entry, content, whole, a, b, NULL);
}

/* Makes another file with the same bytes. */
static void make_copy(World *w, const Item *of, const char *content, int i)
{
	g_autofree char *path = g_strdup_printf("copy-%d-%s.%s", i, pick(w), extensions[i % 3]);
	Entry entry = tree_make(&w->tree, path, content);
	tree_convert(&w->tree, &entry, content, document_new(NULL), NULL);
	Item *item = item_new(path, &entry);
	item->document = true;
	item->title = g_strdup((g_free(item->title), of->title));
	item->heading = g_strdup((g_free(item->heading), of->heading));
	item->body = g_strdup((g_free(item->body), of->body));
	item->mime = g_strdup(of->mime);
	g_ptr_array_add(w->items, item);
}

static void make_entry(World *w, int i)
{
	g_autofree char *dir = g_strdup_printf("%s-dir", vocabulary[i % 4]);
	g_autofree char *words = pick_words(w, 2, "_");
	g_autofree char *path = g_strdup_printf("%s/%d %s.%s", dir, i, words, extensions[i % 3]);
	g_autofree char *content = g_strdup_printf(
	        "%d%.*s", i, i % 50, "..................................................");
	w->tree.modified = pick_time(w);
	Entry entry = tree_make(&w->tree, path, content);
	Item *item = item_new(path, &entry);
	int kind = g_rand_int_range(w->rand, 0, 12);
	g_ptr_array_add(w->items, item);
	item->pending = kind == 0;
	if (kind == 0)
		return;
	if (kind == 1) {
		make_container(w, &entry, item, content);
		return;
	}
	if (kind == 2) {
		item->mime = g_strdup("text/plain");
		tree_convert(&w->tree, &entry, content, NULL);
		return;
	}
	tree_convert(&w->tree, &entry, content, document_for(w, item), NULL);
	if (kind == 3)
		make_copy(w, item, content, i);
}

static void make_world(World *w)
{
	w->items = g_ptr_array_new_with_free_func(free_item);
	Entry root;
	for (int i = 0; i < 4; i++) {
		g_autofree char *dir = g_strdup_printf("%s-dir", vocabulary[i]);
		Entry entry = tree_make(&w->tree, dir, NULL);
		g_ptr_array_add(w->items, item_new(dir, &entry));
	}
	g_assert_cmpint(writer_get(w->tree.index.w, w->tree.node, &root, NULL), ==, 1);
	g_ptr_array_add(w->items, item_new("", &root));
	for (int i = 0; i < ENTRIES; i++) {
		make_entry(w, i);
		if (i == ENTRIES / 2)
			write_grams(&w->tree.index);
	}
}

/* ---- the judge */

typedef struct {
	const QueryNode *node;
	unsigned matched; /* bit i: the last i + 1 tokens are the first of the phrase */
	bool found;
} Reading;

static int read_token(void *data, const char *token, int length, int start, int end)
{
	Reading *reading = data;
	char *const *tokens = reading->node->tokens;
	unsigned n = g_strv_length((char **)tokens), now = 0;
	for (unsigned i = 0; i < n; i++) {
		bool last = i + 1 == n;
		size_t size = strlen(tokens[i]);
		bool same = (reading->node->prefix && last ? (size_t)length >= size
		                                           : (size_t)length == size) &&
		            memcmp(token, tokens[i], size) == 0;
		if (same && (i == 0 || reading->matched >> (i - 1) & 1))
			now |= 1u << i;
	}
	reading->matched = now;
	reading->found |= now >> (n - 1) & 1;
	return 0;
}

static bool reads(const QueryNode *node, const char *text)
{
	Reading reading = {node, 0, false};
	tokenize(text, strlen(text), read_token, &reading);
	return reading.found;
}

static bool judge_words(const World *w, const QueryNode *node, const Item *item)
{
	const char *slash = strrchr(*item->path ? item->path : w->tree.root, '/');
	const char *name = slash ? slash + 1 : item->path;
	bool named = reads(node, name), member = item->member && reads(node, item->member);
	switch (node->scope) {
	case SCOPE_TITLE:
		return reads(node, item->title);
	case SCOPE_HEADING:
		return reads(node, item->heading);
	case SCOPE_BODY:
		return reads(node, item->body);
	case SCOPE_FILENAME:
		return item->member ? member : named;
	default:
		return named || member || reads(node, item->title) || reads(node, item->heading) ||
		       reads(node, item->body);
	}
}

static bool judge_filter(const QueryNode *node, const Item *item)
{
	const char *name = item->member ? item->member : item->path;
	switch (node->filter) {
	case FILTER_EXT: {
		g_autofree char *end = g_strconcat(".", node->values[0], NULL);
		return !item->directory && g_str_has_suffix(name, end);
	}
	case FILTER_MIME:
		return item->mime && g_strcmp0(item->mime, node->values[0]) == 0;
	case FILTER_DIR: {
		g_autofree char *start = g_strconcat(node->values[0], "/", NULL);
		return g_str_has_prefix(item->path, start);
	}
	case FILTER_SIZE:
		return !item->directory && item->size >= node->low && item->size <= node->high &&
		       (!item->member || item->size >= 0);
	case FILTER_IS:
		if (strcmp(node->values[0], "dir") == 0)
			return item->directory;
		return strcmp(node->values[0], "member") == 0 ? item->member != NULL
		                                              : item->pending;
	default:
		g_assert_not_reached();
	}
}

static bool judge(const World *w, const QueryNode *node, const Item *item)
{
	switch (node->op) {
	case QUERY_WORDS:
		return judge_words(w, node, item);
	case QUERY_FILTER:
		return judge_filter(node, item);
	case QUERY_NOT:
		return !judge(w, node->children->pdata[0], item);
	default:
		for (guint i = 0; i < node->children->len; i++)
			if (judge(w, node->children->pdata[i], item) == (node->op == QUERY_OR))
				return node->op == QUERY_OR;
		return node->op == QUERY_AND;
	}
}

/* ---- words in the names of directories */

/* Is each word that is not excluded a plain one that must occur? *n_r: their number. */
static bool judge_has_plain_words(
        const QueryNode *root, const QueryNode *node, bool excluded, unsigned *n_r)
{
	if (node->op == QUERY_WORDS && !excluded) {
		++*n_r;
		return g_ptr_array_find(root->children, node, NULL) && node->scope == SCOPE_ANY &&
		       !node->pattern && node->edits == 0;
	}
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!judge_has_plain_words(root, node->children->pdata[i],
		            excluded ^ (node->op == QUERY_NOT), n_r))
			return false;
	return true;
}

static bool judge_path(const QueryNode *node, const Item *item)
{
	g_auto(GStrv) components = g_strsplit(item->path, "/", -1);
	for (char **component = components; *component && component[1]; component++)
		if (reads(node, *component))
			return true;
	return false;
}

/* A directory above may have a word that the entry itself lacks, but not all of them. */
static bool judge_with_paths(const World *w, const QueryNode *root, const Item *item)
{
	unsigned words = 0;
	bool itself = false;
	if (root->op != QUERY_AND || !judge_has_plain_words(root, root, false, &words) || words < 2)
		return judge(w, root, item);
	for (guint i = 0; i < root->children->len; i++) {
		const QueryNode *child = root->children->pdata[i];
		bool holds = judge(w, child, item);
		if (!holds && (child->op != QUERY_WORDS || !judge_path(child, item)))
			return false;
		itself |= holds && child->op == QUERY_WORDS;
	}
	return itself;
}

/* ---- random queries */

static void append_term(World *w, GString *out)
{
	static const char *const fields[] = {
	        "title:", "heading:", "body:", "filename:", "", "", "", "", ""};
	const char *field = fields[g_rand_int_range(w->rand, 0, G_N_ELEMENTS(fields))];
	switch (g_rand_int_range(w->rand, 0, 10)) {
	case 0:
		g_string_append_printf(out, "%s\"%s %s\"", field, pick(w), pick(w));
		return;
	case 1:
		g_string_append_printf(out, "%s%.3s*", field, pick(w));
		return;
	case 2: {
		static const char *const filters[] = {"ext:txt", "ext:pdf", "mime:text/plain",
		        "dir:alpha-dir", "size>20", "is:dir", "is:member", "is:pending"};
		g_string_append(out, filters[g_rand_int_range(w->rand, 0, G_N_ELEMENTS(filters))]);
		return;
	}
	default:
		g_string_append_printf(out, "%s%s", field, pick(w));
	}
}

/* Patterns of names: some have three letters in a row, which are looked up, and some do not. */
static void append_pattern(World *w, GString *out)
{
	static const char *const endings[] = {"", "*", "?*", "*.txt", "*.[ht]*"};
	unsigned letters = g_rand_int_range(w->rand, 1, 6);
	g_string_append_printf(out, "*%.*s%s", letters, pick(w),
	        endings[g_rand_int_range(w->rand, 0, G_N_ELEMENTS(endings))]);
}

static void append_tree(World *w, GString *out, int depth)
{
	int kind = depth == 0 ? 0 : g_rand_int_range(w->rand, 0, 8);
	if (kind <= 2) {
		append_term(w, out);
	} else if (kind == 3) {
		g_string_append(out, "-(");
		append_tree(w, out, depth - 1);
		g_string_append(out, ")");
	} else {
		g_string_append(out, "(");
		for (int n = g_rand_int_range(w->rand, 2, 4); n > 0; n--) {
			append_tree(w, out, depth - 1);
			if (n > 1)
				g_string_append(out, kind >= 6 ? " OR " : " ");
		}
		g_string_append(out, ")");
	}
}

static char *joined(GPtrArray *names)
{
	g_ptr_array_sort(names, text_compare_elements);
	g_ptr_array_add(names, NULL);
	return g_strjoinv("\n", (char **)names->pdata);
}

static char *expected_of(const World *w, const Query *query)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < w->items->len; i++) {
		const Item *item = w->items->pdata[i];
		if (judge_with_paths(w, query->root, item))
			g_ptr_array_add(names, g_strdup_printf("%s|%s", item->path,
			                               item->member ? item->member : ""));
	}
	return joined(names);
}

static char *found_of(World *w, const char *text, uint64_t *total)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(SearchResult) result = search(&w->tree, text, DUPS_SHOW);
	for (guint i = 0; i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		const char *path = info->path + strlen(w->tree.root);
		g_ptr_array_add(names, g_strdup_printf("%s|%s", *path ? path + 1 : "",
		                               info->member ? info->member : ""));
	}
	*total = result->total;
	return joined(names);
}

/* With collapsed copies each hit is one of the hits without collapsing, no group is lost, and
 * copies and hits together are at least as many as those hits. */
static void check_collapsed(World *w, const char *text, const char *all)
{
	g_autoptr(SearchResult) result = search(&w->tree, text, DUPS_COLLAPSE);
	g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
	guint listed = 0;
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		const char *path = hit->info.path + strlen(w->tree.root);
		g_autofree char *name = g_strdup_printf(
		        "%s|%s", *path ? path + 1 : "", hit->info.member ? hit->info.member : "");
		if (!g_strv_contains((const char *const *)lines, name))
			g_error("\"%s\" shows %s", text, name);
		listed += 1 + hit->copies->len;
	}
	g_assert_cmpuint(result->total, ==, result->hits->len);
	g_assert_cmpuint(listed, >=, *all ? g_strv_length(lines) : 0);
}

/* Returns the lines of a that are missing in b. */
static char *missing(const char *a, const char *b)
{
	g_auto(GStrv) lines = g_strsplit(a, "\n", -1), others = g_strsplit(b, "\n", -1);
	GString *out = g_string_new(NULL);
	for (char **line = lines; *line; line++)
		if (!g_strv_contains((const char *const *)others, *line))
			g_string_append_printf(out, " [%s]", *line);
	return g_string_free(out, FALSE);
}

static void check_query(World *w, const char *text)
{
	uint64_t total;
	g_autoptr(Query) query = parse(text, NULL);
	g_autofree char *expected = expected_of(w, query);
	g_autofree char *found = found_of(w, text, &total);
	g_autofree char *lost = missing(expected, found), *wrong = missing(found, expected);
	if (strcmp(found, expected) != 0)
		g_error("\"%s\" does not find%s but finds%s", text, lost, wrong);
	g_auto(GStrv) lines = g_strsplit(expected, "\n", -1);
	g_assert_cmpuint(total, ==, *expected ? g_strv_length(lines) : 0);
	check_collapsed(w, text, expected);
}

/* ---- the fast paths compared with the plain one */

/* In the place of libc's: scores depend on the day, and two searches that are compared must not
 * lie on two days. */
time_t time(time_t *now_r)
{
	static time_t begun;
	if (begun == 0)
		begun = g_get_real_time() / G_USEC_PER_SEC;
	if (now_r)
		*now_r = begun;
	return begun;
}

static SearchResult *run_choice(World *w, const char *text, unsigned limit, PlanChoice choice)
{
	const SearchOptions options = {.limit = limit, .uid = geteuid(), .near_separate = true};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse(text, NULL);
	SearchResult *result = search_run_planned(w->tree.r, query, &options, choice, &error);
	g_assert_no_error(error);
	return result;
}

static SearchResult *run_by_date(
        World *w, const char *text, unsigned limit, bool reverse, PlanChoice choice)
{
	const SearchOptions options = {.limit = limit,
	        .offset = limit / 2,
	        .sort = SORT_DATE,
	        .reverse = reverse,
	        .uid = geteuid(),
	        .near_separate = true};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse(text, NULL);
	SearchResult *result = search_run_planned(w->tree.r, query, &options, choice, &error);
	g_assert_no_error(error);
	return result;
}

static bool is_same_hit(const Hit *a, const Hit *b)
{
	return a->info.document == b->info.document && strcmp(a->info.path, b->info.path) == 0;
}

/* Hits whose scores differ by a rounding error may be in either order. Without scores, a document
 * is a hit by whichever of its copies: the words of their names choose it. */
static bool has_hit(const SearchResult *result, const Hit *hit, bool scores)
{
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *other = result->hits->pdata[i];
		if (scores ? is_same_hit(other, hit) && ABS(other->score - hit->score) < 1e-9
		           : other->info.document == hit->info.document)
			return true;
	}
	return false;
}

static bool has_filter(const QueryNode *node)
{
	bool found = node->op == QUERY_FILTER;
	for (guint i = 0; node->children && !found && i < node->children->len; i++)
		found = has_filter(node->children->pdata[i]);
	return found;
}

/* The least score that a hit may have where the plain path has one with this score. If filters are
 * asked of a few matches only, which are the best by their words, copies, members and old files
 * among them are lowered later (index/search/demote.h), and one that was not asked may have a
 * higher score then. */
static double least_score(const char *text, double score, bool few)
{
	static const double copy = .9, member = .9, deep = .96, old = .975;
	g_autoptr(Query) query = parse(text, NULL);
	return few && has_filter(query->root) ? score * copy * member * deep * old : score;
}

/* scores: compares order and scores too. A prefix that is counted by itself does not tell which of
 * its terms are beside another word, nor does a pattern. many: each pattern has many terms for the
 * fast path. */
static void compare_choices(World *w, const char *text, unsigned limit, bool scores, bool many)
{
	search_many_forms = many ? 0 : QUERY_MAX_FORMS;
	bool few = limit < ENTRIES;
	search_at_once = few ? 0 : AT_ONCE; /* as among a million files */
	g_autoptr(SearchResult) fast = run_choice(w, text, limit, PLAN_FAST);
	search_many_forms = QUERY_MAX_FORMS;
	search_at_once = AT_ONCE;
	g_autoptr(SearchResult) plain = run_choice(w, text, limit, PLAN_PLAIN);
	if (fast->hits->len != plain->hits->len)
		g_error("\"%s\": %u hits, by the plain path %u", text, fast->hits->len,
		        plain->hits->len);
	g_assert_true(fast->total == plain->total || !fast->total_exact);
	g_assert_cmpuint(fast->total, >=, plain->total);
	for (guint i = 0; i < fast->hits->len; i++) {
		const Hit *a = fast->hits->pdata[i], *b = plain->hits->pdata[i];
		if (scores && (a->score > b->score + 1e-9 ||
		                      a->score < least_score(text, b->score, few) - 1e-9))
			g_error("\"%s\": hit %u has the score %.12f, by the plain path %.12f", text,
			        i, a->score, b->score);
		if ((!scores || !is_same_hit(a, b)) && limit > ENTRIES * 4 &&
		        !has_hit(plain, a, scores))
			g_error("\"%s\": the plain path lacks %s", text, a->info.path);
	}
}

/* By date, the order is total. */
static void compare_dates(World *w, const char *text, unsigned limit, bool reverse)
{
	search_at_once = 0;
	g_autoptr(SearchResult) fast = run_by_date(w, text, limit, reverse, PLAN_FAST);
	search_at_once = AT_ONCE;
	g_autoptr(SearchResult) plain = run_by_date(w, text, limit, reverse, PLAN_PLAIN);
	g_assert_cmpuint(fast->hits->len, ==, plain->hits->len);
	g_assert_true(fast->total == plain->total || !fast->total_exact);
	g_assert_cmpuint(fast->total, >=, plain->total);
	for (guint i = 0; i < fast->hits->len; i++) {
		const Hit *a = fast->hits->pdata[i], *b = plain->hits->pdata[i];
		if (!is_same_hit(a, b))
			g_error("\"%s\" by date%s: hit %u is %s, by the plain path %s", text,
			        reverse ? ", reversed" : "", i, a->info.path, b->info.path);
	}
	w->cut += !fast->total_exact;
}

static void begin_world(World *w)
{
	uint32_t seed = g_test_rand_int();
	*w = (World){.rand = g_rand_new_with_seed(seed)};
	g_test_message("seed %u", seed);
	tree_up(&w->tree, NULL);
	make_world(w);
	tree_open(&w->tree);
}

static void end_world(World *w)
{
	search_long_pages = 64;
	search_many_forms = QUERY_MAX_FORMS;
	g_ptr_array_unref(w->items);
	g_rand_free(w->rand);
	tree_down(&w->tree, NULL);
}

static void test_engine_agrees_with_judge(void)
{
	World w;
	begin_world(&w);
	for (int i = 0; i < QUERIES; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		append_tree(&w, text, 3);
		search_long_pages = i % 2 ? 0 : G_MAXUINT;
		search_many_forms = i % 3 ? QUERY_MAX_FORMS : 0;
		check_query(&w, text->str);
	}
	end_world(&w);
}

static void test_fast_iterators_agree_with_plain_ones(void)
{
	World w;
	begin_world(&w);
	for (int i = 0; i < QUERIES; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		if (i % 5 == 0)
			append_pattern(&w, text);
		if (i % 10 != 0) {
			g_string_append_c(text, ' ');
			append_tree(&w, text, i % 3);
		}
		search_long_pages = i % 2 ? 0 : G_MAXUINT;
		bool many = i % 3 == 0;
		compare_choices(&w, text->str, 100000, i % 2 == 0 && !many, many);
		if (i % 2 == 0 && !many)
			compare_choices(&w, text->str, 5, true, false);
	}
	end_world(&w);
}

static void test_order_by_date_agrees_with_the_plain_one(void)
{
	World w;
	begin_world(&w);
	for (int i = 0; i < QUERIES; i++) {
		g_autoptr(GString) text = g_string_new(i % 3 == 0 ? pick(&w) : NULL);
		if (i % 3 != 0)
			append_tree(&w, text, i % 3);
		search_long_pages = i % 2 ? 0 : G_MAXUINT;
		compare_dates(&w, text->str, i % 4 ? 4 : 100000, i % 5 == 0);
	}
	g_assert_cmpuint(w.cut, >, QUERIES / 10);
	end_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/search/random-queries-agree-with-the-plain-evaluator",
	        test_engine_agrees_with_judge);
	g_test_add_func("/index/search/fast-iterators-agree-with-the-plain-ones",
	        test_fast_iterators_agree_with_plain_ones);
	g_test_add_func("/index/search/order-by-date-agrees-with-the-plain-one",
	        test_order_by_date_agrees_with_the_plain_one);
	return g_test_run();
}
