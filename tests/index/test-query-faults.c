/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-query-faults.c - what the query language refuses: the place, the reason and the hint */
#include <config.h>
#include "index/query/query.h"
#include <stdlib.h>
#include <string.h>

static const QueryOptions plain = {.now = 1779278400, .cwd = "/home/u/here"};

typedef struct {
	const char *text;
	size_t position, length;
	const char *message; /* a part of it */
} Fault;

static const Fault faults[] = {
        {"", 0, 0, "empty"},
        {"  ", 0, 0, "empty"},
        {"a OR", 4, 0, "ends where"},
        {"OR a", 0, 2, "operator"},
        {"a AND AND b", 6, 3, "operator"},
        {"a AND OR b", 6, 2, "operator"},
        {"NOT", 3, 0, "ends where"},
        {"a (b OR )", 8, 1, "no opening one"},
        {"x \"a b", 2, 4, "quote"},
        {"\"a\"b", 3, 1, "modifier"},
        {"(a OR b", 0, 1, "not closed"},
        {"(ab", 0, 1, "not closed"},
        {"ab)", 2, 1, "no opening one"},
        {"a OR b)", 6, 1, "no opening one"},
        {"date:03/04/2025", 5, 10, "either way round"},
        {"date:01.02.03", 5, 8, "not a date"},
        {"date:257.03.2025", 5, 11, "not a date"},
        {"size:>", 6, 0, "no value"},
        {"tilte:x", 0, 5, "Unknown field \"tilte\""},
        {"x foo:bar", 2, 3, "Unknown field"},
        {"title:", 0, 6, "no value"},
        {"title:\"\"", 6, 2, "no value"},
        {"title:(a from:b)", 9, 5, "inside the parentheses"},
        {"author:a,", 9, 0, "lacks a value"},
        {"author:a,b/c", 7, 5, "commas"},
        {"near:x~33", 6, 3, "At most 32"},
        {"near:", 0, 5, "no value"},
        {"\"a b\"p1001", 6, 4, "At most 1000"},
        {"a NEAR/1001 b", 7, 4, "At most 1000"},
        {"NEAR b", 0, 4, "operator"},
        {"a NEAR/x b", 2, 6, "number"},
        {"a NEAR/ b", 2, 5, "number"},
        {"a ADJ/-1 b", 2, 6, "number"},
        {"a NEAR/5x b", 2, 7, "number"},
        {"a NEAR/2 b NEAR/4 c", 11, 6, "same distance"},
        {"\"a b\"p5 NEAR/3 c", 8, 6, "same distance"},
        {"\"a b\"p5o3", 5, 3, "only one distance"},
        {"\"a b\"pp", 5, 2, "only one distance"},
        {"a NEAR", 6, 0, "ends where"},
        {"a NEAR ext:pdf", 2, 4, "join two words"},
        {"a NEAR title:b", 2, 4, "join two words"},
        {"a NEAR (b c)", 2, 4, "join two words"},
        {"a NEAR (b OR title:c)", 2, 4, "join two words"},
        {"(a OR b*) NEAR c", 10, 4, "cannot be mixed"},
        {"a NEAR b ADJ c", 9, 3, "cannot be mixed"},
        {"a* NEAR b", 3, 4, "cannot be mixed"},
        {"a NEAR w?rd", 2, 4, "join two words"},
        {"helo~3", 0, 6, "fuzzy search"},
        {"title:*.c", 6, 3, "Only file names"},
        {"*a*b*c*d*", 0, 9, "Too many stars"},
        {"?", 0, 1, "no letter"},
        {"has:wings", 4, 5, "Unknown value"},
        {"dup:/no/such/file", 4, 13, "cannot be read"},
        {"dup:/dev/null", 4, 9, "cannot be read"},
        {"&&", 0, 2, "no letter"},
        {"*", 0, 1, "no letter"},
        {"ext:", 0, 4, "no value"},
        {"ext:p*", 4, 2, "extension"},
        {"ext:pdf,,odt", 8, 1, "lacks a value"},
        {"mime:pdf", 5, 3, "MIME"},
        {"mime:*/*", 5, 3, "MIME"},
        {"mime:text/*a*b", 5, 9, "MIME"},
        {"type:books", 5, 5, "Unknown type"},
        {"is:open", 3, 4, "Unknown state"},
        {"lang:e*", 5, 2, "language"},
        {"sum:12", 4, 2, "checksum"},
        {"owner:no such", 6, 2, "no user"},
        {"perm:999", 5, 3, "permissions"},
        {"perm:rw", 5, 2, "permissions"},
        {"date:30m", 5, 3, "\"m\" could mean"},
        {"date:5x", 6, 1, "Unknown unit"},
        {"date:soon", 5, 4, "not a date"},
        {"date:2026-13", 5, 7, "not a date"},
        {"date:2025-02-29", 5, 10, "not a date"},
        {"date:99999999d", 5, 9, "not a date"},
        {"date:..", 5, 2, "no bounds"},
        {"date:2026..2025", 5, 10, "before it begins"},
        {"date:2025..soon", 11, 4, "not a date"},
        {"date>2025..2026", 5, 10, "range"},
        {"size:big", 5, 3, "not a size"},
        {"duration:3m", 9, 2, "not a duration"},
        {"duration:min", 9, 3, "not a duration"},
        {"duration:3min4", 9, 5, "not a duration"},
        {"duration:2h..1h", 9, 6, "before it begins"},
        {"pages:many", 6, 4, "not a number"},
        {"pages:1.5", 6, 3, "not a number"},
        {"size:1.2.3", 5, 5, "not a size"},
        {"size:5X", 5, 2, "not a size"},
        {"size:2M..1M", 5, 6, "before it begins"},
        {"size:99999999999999999999", 5, 20, "not a size"},
        {"\xff", 0, 1, "UTF-8"},
};

static void test_faults(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(faults); i++) {
		QueryFault fault;
		g_autoptr(GError) error = NULL;
		g_autoptr(Query) query = query_parse(faults[i].text, &plain, &fault, &error);
		g_autofree char *hint = fault.hint;
		if (query)
			g_error("\"%s\" is taken", faults[i].text);
		g_assert_true(error->domain == QUERY_ERROR);
		if (fault.position != faults[i].position || fault.length != faults[i].length ||
		        !strstr(error->message, faults[i].message))
			g_error("\"%s\": %s at %zu, %zu", faults[i].text, error->message,
			        fault.position, fault.length);
	}
}

static void assert_limit(const char *text, const char *message)
{
	QueryFault fault;
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = query_parse(text, &plain, &fault, &error);
	g_autofree char *hint = fault.hint;
	g_assert_null(query);
	g_assert_nonnull(strstr(error->message, message));
}

static char *repeated(const char *text, unsigned n)
{
	GString *out = g_string_new(NULL);
	while (n--)
		g_string_append(out, text);
	return g_string_free(out, FALSE);
}

static void test_limits(void)
{
	g_autofree char *words64 = repeated("a ", QUERY_MAX_TERMS);
	QueryFault fault;
	g_autoptr(Query) query = query_parse(words64, &plain, &fault, NULL);
	g_assert_nonnull(query);
	g_autofree char *words65 = repeated("a ", QUERY_MAX_TERMS + 1);
	assert_limit(words65, "Too many words");
	g_autofree char *open = repeated("(a OR ", QUERY_MAX_DEPTH + 1);
	assert_limit(open, "deeply");
	g_autofree char *minus = repeated("-", QUERY_MAX_DEPTH + 1);
	g_autofree char *negated = g_strconcat(minus, "a", NULL);
	assert_limit(negated, "deeply");
	g_autofree char *bytes = repeated("a", QUERY_MAX_BYTES + 1);
	assert_limit(bytes, "too long");
}

static char **thread_of_forty(const char *file, void *data, GError **error)
{
	g_autofree char *replies = repeated("reply ", 40);
	return g_strsplit(g_strchomp(replies), " ", -1);
}

static void assert_thread(const char *text, bool fits)
{
	const QueryFiles files = {.thread = thread_of_forty};
	QueryFault fault;
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = query_parse(text, &plain, &fault, NULL);
	g_assert_nonnull(query);
	g_assert_cmpint(query_resolve_files(query, &files, &error), ==, fits);
	g_assert_true(fits || g_error_matches(error, QUERY_ERROR, 0));
	g_assert_true(fits || strstr(error->message, "Too many words"));
}

static void test_words_of_threads_count(void)
{
	g_autofree char *words24 = repeated(" a", QUERY_MAX_TERMS - 40);
	g_autofree char *most = g_strconcat("thread:1", words24, NULL);
	g_autofree char *more = g_strconcat(most, " b", NULL);
	g_autofree char *excluded = g_strconcat(most, " -b", NULL);
	assert_thread(most, true);
	assert_thread(more, false);
	assert_thread(excluded, false);
	assert_thread("thread:1 thread:2", false);
	assert_thread("-thread:1 -thread:2 foo bar", false);
}

static void test_hint_names_nearest_field(void)
{
	QueryFault fault;
	g_autoptr(Query) query = query_parse("filenmae:x", &plain, &fault, NULL);
	g_autofree char *hint = fault.hint;
	g_assert_null(query);
	g_assert_nonnull(strstr(hint, "filename:"));
}

int main(int argc, char **argv)
{
	setenv("TZ", "UTC", 1);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/query/faults-name-their-place", test_faults);
	g_test_add_func("/index/query/limits-are-enforced", test_limits);
	g_test_add_func("/index/query/words-of-threads-count", test_words_of_threads_count);
	g_test_add_func("/index/query/hint-names-nearest-field", test_hint_names_nearest_field);
	return g_test_run();
}
