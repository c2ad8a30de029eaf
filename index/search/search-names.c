/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-names.c - finds names that match a pattern, and names that consist of the query's words
 *
 * A name that matches a pattern contains the letters between its wildcards. Trigrams of these
 * letters are looked up in table gram, as plocate does with whole paths, and the names that are
 * found are compared with the pattern, as are new names, which are not in the table yet
 * (index/write/write-names.c). A pattern without three letters in a row is compared with
 * all names. */
#include <config.h>
#include "common/base/glob.h"
#include "common/url/url-name.h"
#include "index/search/search-private.h"
#include "index/store/states.h"
#include "index/text/name-bytes.h"
#include "index/text/tokenizer.h"
#include "index/text/word-hyphen.h"
#include <string.h>

/* So many trigrams of a pattern narrow the result enough. */
enum { MAX_GRAMS = 24 };

/* The share of the bonus for a whole name if the name goes on after the words of the query: as much
 * as a short text has that mentions them often; and if it has other forms of them: a name as it was
 * typed comes before it. */
static const double name_begins_share = 0.2, name_form_share = 0.4;

#define ENTRIES "SELECT n.id, n.name FROM "
#define MEMBERS "SELECT f.document, f.member FROM "
static const char all_entries_sql[] = ENTRIES "node n";
static const char all_members_sql[] = MEMBERS "fact f WHERE f.member IS NOT NULL";
/* Those with the grams of ?1, and those whose grams are not in the table yet. */
static const char *const entries_by_grams[] = {ENTRIES
        "gram g CROSS JOIN node n ON n.id = g.rowid WHERE gram MATCH ?1 AND g.rowid > 0",
        ENTRIES "node n WHERE n.id > " SEARCH_LAST_WITH_GRAMS(META_GRAM_NODES)};
static const char *const members_by_grams[] = {MEMBERS
        "gram g CROSS JOIN fact f ON f.document = -g.rowid "
        "WHERE gram MATCH ?1 AND g.rowid < 0",
        MEMBERS "fact f WHERE f.member IS NOT NULL AND "
                "f.document > " SEARCH_LAST_WITH_GRAMS(META_GRAM_DOCUMENTS)};
static const char name_nodes_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN document d ON d.id = a.id "
        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id";

/* ---- grams that every name holds */

static int append_gram(void *data, const char *gram, int length, int start, int end)
{
	GString *out = data;
	if (g_strrstr_len(gram, length, "\""))
		return 0;
	g_string_append_printf(out, "%s\"%.*s\"", out->len > 0 ? " AND " : "", length, gram);
	return start >= MAX_GRAMS;
}

void search_append_grams(GString *out, const char *folded)
{
	tokenize_grams(folded, append_gram, out);
}

static void append_grams(GString *out, const char *pattern)
{
	for (const char *s = pattern; *s;) {
		size_t length = strcspn(s, "*?[");
		g_autofree char *literal = g_strndup(s, length);
		search_append_grams(out, literal);
		s += length;
		if (*s)
			s = *s == '[' ? strchr(s, ']') + 1 : s + 1;
	}
}

/* Returns the trigrams as an FTS5 expression; it is empty if there are none. */
static char *grams_of(const QueryNode *node)
{
	GString *out = g_string_new(NULL);
	for (char **token = node->tokens; *token; token++)
		append_grams(out, *token);
	return g_string_free(out, FALSE);
}

/* ---- comparing */

/* The patterns of a term node. */
typedef struct {
	GlobSet *whole, *words; /* words: NULL if names_only */
} NamePatterns;

static void name_patterns_clear(NamePatterns *patterns)
{
	glob_set_free(patterns->whole);
	glob_set_free(patterns->words);
}

static GlobSet *word_patterns(const QueryNode *node)
{
	GlobSet *set = glob_set_new(GLOB_SQLITE);
	for (char **token = node->tokens; *token; token++) {
		bool prefix = node->prefix && !token[1];
		g_autofree char *pattern = g_strconcat(*token, prefix ? "*" : "", NULL);
		glob_set_add(set, pattern);
	}
	glob_set_compile(set);
	return set;
}

static NamePatterns name_patterns(const QueryNode *node)
{
	NamePatterns patterns = {.whole = glob_set_new(GLOB_SQLITE)};
	glob_set_add(patterns.whole, node->pattern);
	glob_set_compile(patterns.whole);
	if (!node->names_only)
		patterns.words = word_patterns(node);
	return patterns;
}

typedef struct {
	const GlobSet *patterns;
	const char *name, *name_end;
	uint64_t before,
	        state; /* bit i: the last i + 1 words match the first i + 1 of the pattern */
	int start, end; /* of the last word; its parts begin at its start too */
} Words;

/* Two words that a hyphen joins do not count as one: the trigrams of the name (Wi-Fi) are not those
 * of the joined word (wifi), so that only some patterns would find it. */
static bool is_joined_word(const Words *words, int start, int end)
{
	return start == words->start && end > words->end &&
	       word_has_hyphen_after(
	               (const uint8_t *)words->name + words->end, (const uint8_t *)words->name_end);
}

static int compare_word(void *data, const char *token, int length, int start, int end)
{
	Words *words = data;
	if (is_joined_word(words, start, end))
		return 0;
	if (start != words->start) {
		words->before = words->state;
		words->state = 0;
		words->end = end;
	}
	words->start = start;
	words->state |= glob_set_match(words->patterns, token, length) & (words->before << 1 | 1);
	return words->state >> (glob_set_length(words->patterns) - 1) & 1;
}

static bool matches_words(const GlobSet *patterns, const char *name, size_t length)
{
	Words words = {.patterns = patterns, .name = name, .name_end = name + length, .start = -1};
	return tokenize_name(name, length, compare_word, &words) != 0;
}

/* The name of a root is the last component of its path; the name of a member is its whole path. */
static bool search_matches(const NamePatterns *patterns, const char *name, bool member)
{
	g_autofree char *last = url_or_path_name(name);
	g_autofree char *folded = tokenize_fold(last, strlen(last));
	if (glob_set_match(patterns->whole, folded, strlen(folded)) != 0)
		return true;
	const char *words = member ? name : last;
	return patterns->words && matches_words(patterns->words, words, strlen(words));
}

/* ---- all of them */

typedef struct {
	NamePatterns patterns;
	bool members;
	GArray *ids; /* of those that match */
} LikeNames;

static bool append_matching(
        const Search *s, const LikeNames *like, const char *sql, const char *grams, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	int row = statement ? 1 : -1;
	if (statement && sqlite3_bind_parameter_count(statement) > 0)
		sqlite3_bind_text(statement, 1, grams, -1, SQLITE_STATIC);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_autofree char *name = g_strndup(
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1));
		if (name && search_matches(&like->patterns, name, like->members))
			g_array_append_val(like->ids, id);
	}
	return row == 0;
}

static bool append_like(
        const Search *s, const QueryNode *node, bool members, GArray *ids, GError **error)
{
	LikeNames like = {name_patterns(node), members, ids};
	g_autofree char *grams = grams_of(node);
	const char *const *by_grams = members ? members_by_grams : entries_by_grams;
	bool narrowed = *grams && !s->plan->plain;
	bool ok = narrowed ? append_matching(s, &like, by_grams[0], grams, error) &&
	                             append_matching(s, &like, by_grams[1], grams, error)
	                   : append_matching(s, &like, members ? all_members_sql : all_entries_sql,
	                             NULL, error);
	name_patterns_clear(&like.patterns);
	return ok;
}

bool search_like(const Search *s, TermMatches *found, GArray *named, GError **error)
{
	return append_like(s, found->term->node, false, found->names, error) &&
	       append_like(s, found->term->node, true, found->members, error) &&
	       search_append_ids(s, name_nodes_sql, found->members, named, error);
}

/* ---- names that are asked for as a whole */

/* The words of a name that are words of the query, up to the first other one. */
typedef struct {
	const QueryPlan *plan;
	unsigned words;
	bool forms; /* a word of the name is another form of one of the query */
} NameWords;

static bool has_form(const QueryNode *node, guint i, const char *word)
{
	const char *const *forms = node->forms ? (const char *const *)node->forms[i] : NULL;
	return forms && g_strv_contains(forms, word);
}

/* Returns nonzero if the word is not one of the query's. */
static int compare_with_terms(void *data, const char *token, int length, int start, int end)
{
	NameWords *name = data;
	char word[TOKEN_MAX_BYTES + 1];
	bool typed = false, form = false;
	(void)start, (void)end;
	length = MIN(length, TOKEN_MAX_BYTES);
	memcpy(word, token, length);
	word[length] = '\0';
	for (guint i = 0; i < name->plan->terms->len && !typed; i++) {
		const SearchTerm *term = &g_array_index(name->plan->terms, SearchTerm, i);
		for (guint k = 0; term->scored && term->node->tokens[k] && !typed; k++) {
			typed = strcmp(term->node->tokens[k], word) == 0;
			form |= has_form(term->node, k, word);
		}
	}
	if (!typed && !form)
		return 1;
	name->words++;
	name->forms |= !typed;
	return 0;
}

static size_t length_without_ending(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

static bool terms_are_words(const QueryPlan *plan)
{
	for (guint i = 0; i < plan->terms->len; i++) {
		const QueryNode *node = g_array_index(plan->terms, SearchTerm, i).node;
		const QueryNode *before =
		        i > 0 ? g_array_index(plan->terms, SearchTerm, i - 1).node : NULL;
		if (before && search_is_open_end(before, node))
			continue;
		if (node->pattern || node->prefix || node->edits > 0)
			return false;
	}
	return true;
}

static unsigned scored_tokens(const QueryPlan *plan)
{
	unsigned tokens = 0;
	for (guint i = 0; i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		tokens += term->scored ? g_strv_length(term->node->tokens) : 0;
	}
	return tokens;
}

static double share_of_words(const QueryPlan *plan, const char *name)
{
	NameWords found = {.plan = plan};
	bool whole =
	        tokenize_phrase(name, length_without_ending(name), compare_with_terms, &found) == 0;
	double share = whole ? 1 : found.words >= scored_tokens(plan) ? name_begins_share : 0;
	return share * (found.forms ? name_form_share : 1);
}

/* The beginning of a word is a pattern like others: IMG*. NULL: it is no pattern of names. */
static char *pattern_of_names(const QueryNode *node)
{
	if (node->prefix && !node->pattern && !node->tokens[1] && query_matches_names(node))
		return g_strconcat(node->tokens[0], "*", NULL);
	return query_matches_only_names(node) ? NULL : g_strdup(node->pattern);
}

GlobSet *search_name_pattern(const QueryPlan *plan)
{
	const SearchTerm *first = plan->terms->len == 1 ? (SearchTerm *)plan->terms->data : NULL;
	g_autofree char *text = first ? pattern_of_names(first->node) : NULL;
	if (!text)
		return NULL;
	GlobSet *pattern = glob_set_new(GLOB_SQLITE);
	glob_set_add(pattern, text);
	glob_set_compile(pattern);
	return pattern;
}

/* "budget.csv" is what b?dget and b?dget.csv match as a whole. */
static double share_of_pattern(const GlobSet *pattern, const char *name)
{
	g_autofree char *folded = tokenize_fold(name, strlen(name));
	return glob_set_match(pattern, folded, strlen(folded)) != 0 ||
	       glob_set_match(pattern, folded, length_without_ending(folded)) != 0;
}

double search_whole_name(
        const QueryPlan *plan, const GlobSet *pattern, const void *bytes, int length)
{
	if ((!pattern && !terms_are_words(plan)) || length <= 0)
		return 0;
	g_autofree char *path = g_strndup(bytes, length);
	g_autofree char *last = url_or_path_name(path);
	g_autofree char *decoded = name_bytes_decode(last, strlen(last));
	const char *name = decoded ? decoded : last;
	if (!*name)
		return 0;
	return pattern ? share_of_pattern(pattern, name) : share_of_words(plan, name);
}
