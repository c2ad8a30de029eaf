/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-words.c - a word, phrase, pattern or fuzzy word of the query as folded terms */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/stem.h"
#include "index/text/tokenizer.h"
#include "index/text/word-signs.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/url/url-canonical.h"
#include <string.h>

/* Limit on the stars of a pattern, as tarsier(1) tells it. More would not make matching slower
 * (common/base/glob.h). */
enum { MAX_STARS = 4 };

bool query_count_terms(QueryParse *p, const QueryValue *value, unsigned n)
{
	p->terms += n;
	if (p->terms <= QUERY_MAX_TERMS)
		return true;
	return query_fail(p, value->position, value->length, NULL, _("Too many words: at most %d"),
	        QUERY_MAX_TERMS);
}

static int query_collect(void *data, const char *token, int length, int start, int end)
{
	g_ptr_array_add(data, g_strndup(token, length));
	return 0;
}

static int query_words_count(void *data, const char *token, int length, int start, int end)
{
	++*(unsigned *)data;
	return 0;
}

/* In scripts without spaces the index holds pairs of characters, so a single character is a prefix.
 * It is one term by itself, and several terms when it is repeated. */
static bool is_lone_character(const char *token)
{
	unsigned once = 0, repeated = 0;
	g_autofree char *thrice = g_strconcat(token, token, token, NULL);
	tokenize(token, strlen(token), query_words_count, &once);
	tokenize(thrice, strlen(thrice), query_words_count, &repeated);
	return once == 1 && repeated > 1;
}

unsigned query_number_of_words(const char *text)
{
	unsigned n = 0;
	tokenize_phrase(text, strlen(text), query_words_count, &n);
	return n;
}

bool query_has_word(const char *text, size_t length)
{
	unsigned n = 0;
	tokenize_phrase(text, length, query_words_count, &n);
	return n > 0;
}

static bool fill_tokens(QueryParse *p, QueryNode *node, const QueryValue *value, size_t length)
{
	g_autoptr(GPtrArray) tokens = g_ptr_array_new_with_free_func(g_free);
	tokenize_phrase(value->text, length, query_collect, tokens);
	if (tokens->len == 0)
		return query_fail(p, value->position, value->length, NULL,
		        _("It has no letter or digit to search for"));
	if (!query_count_terms(p, value, tokens->len))
		return false;
	node->prefix |= is_lone_character(tokens->pdata[tokens->len - 1]);
	g_ptr_array_add(tokens, NULL);
	g_ptr_array_set_free_func(tokens, NULL);
	node->tokens = g_new(char *, tokens->len);
	memcpy(node->tokens, tokens->pdata, tokens->len * sizeof(char *));
	return true;
}

/* ---- patterns: "*mid*", "w?rd", "[ab]c", "*port-20*" */

typedef struct {
	GString *whole; /* the pattern for names */
	GPtrArray *words; /* of GString *: the words of whole; the last one is still being read */
	bool words_fit; /* each word can match a term of the index */
	unsigned stars, letters, signs;
} Pattern;

static void append_to_pattern(Pattern *pattern, const char *text)
{
	GString *word = pattern->words->pdata[pattern->words->len - 1];
	g_string_append(pattern->whole, text);
	g_string_append(word, text);
}

static void begin_word(Pattern *pattern)
{
	g_ptr_array_add(pattern->words, g_string_new(NULL));
}

/* Appends letters that are one term or the beginning of one. Pairs of characters match only as a
 * whole. */
static void append_letters(Pattern *pattern, const char *text, size_t length)
{
	unsigned terms = 0;
	g_autofree char *folded = tokenize_fold(text, length);
	tokenize_query(text, length, query_words_count, &terms);
	append_to_pattern(pattern, folded);
	pattern->words_fit &= terms == 1;
	pattern->letters++;
}

/* Appends words and separators up to the next wildcard. */
static void append_literal(Pattern *pattern, const char *text, size_t length)
{
	for (const char *s = text, *end = text + length, *next; s < end; s = next) {
		bool letters = query_is_of_words(g_utf8_get_char(s));
		for (next = s; next < end && query_is_of_words(g_utf8_get_char(next)) == letters;)
			next = g_utf8_next_char(next);
		if (letters) {
			append_letters(pattern, s, next - s);
			continue;
		}
		g_autofree char *divider = tokenize_fold(s, next - s);
		g_string_append(pattern->whole, divider);
		begin_word(pattern);
		pattern->signs++;
	}
}

/* Appends the class "[ab]", "[a-c]" or "[!a]" at s, and returns its end. */
static const char *append_class(Pattern *pattern, const char *s)
{
	const char *end = strchr(s, ']'), *at = s + 1;
	g_autoptr(GString) out = g_string_new("[");
	if (*at == '!' || *at == '^') {
		g_string_append_c(out, '^');
		at++;
	}
	for (; at < end; at = g_utf8_next_char(at)) {
		bool range = *at == '-' && at + 1 < end && out->str[out->len - 1] != '[';
		g_autofree char *folded = tokenize_fold(at, g_utf8_next_char(at) - at);
		g_string_append(out, folded);
		pattern->words_fit &= range || query_is_of_words(g_utf8_get_char(at));
	}
	g_string_append_c(out, ']');
	pattern->letters++;
	append_to_pattern(pattern, out->str);
	return end + 1;
}

/* The text is well-formed (pattern_kind()). */
static void read_pattern(Pattern *pattern, const char *text)
{
	for (const char *s = text; *s;) {
		size_t length = strcspn(s, "*?[");
		if (*s == '[') {
			s = append_class(pattern, s);
			continue;
		}
		if (length > 0) {
			append_literal(pattern, s, length);
		} else {
			length = *s == '*' ? strspn(s, "*") : 1;
			pattern->stars += *s == '*';
			append_to_pattern(pattern, *s == '*' ? "*" : "?");
		}
		s += length;
	}
}

static bool query_has_letters(const char *word)
{
	return word[strspn(word, "*?")] != '\0';
}

/* A separator at the beginning or end of a pattern separates no words: "*port-" and "-20*". */
static bool drop_empty(Pattern *pattern)
{
	GPtrArray *words = pattern->words;
	for (guint i = words->len; i-- > 0;)
		if (((GString *)words->pdata[i])->len == 0)
			g_ptr_array_remove_index(words, i);
	for (guint i = 0; i < words->len; i++)
		if (!query_has_letters(((GString *)words->pdata[i])->str))
			return false;
	return words->len > 0;
}

/* A last word with only a trailing star is a prefix for FTS5. */
static void set_prefix(QueryNode *node, guint n)
{
	char *last = node->tokens[n - 1];
	size_t length = strcspn(last, "*?[");
	node->prefix = n > 1 && last[length] == '*' && !last[length + 1];
	if (node->prefix)
		last[length] = '\0';
}

static void set_words(QueryNode *node, Pattern *pattern)
{
	GPtrArray *words = pattern->words;
	node->names_only = !drop_empty(pattern) || !pattern->words_fit;
	guint n = node->names_only ? 1 : words->len;
	node->tokens = g_new0(char *, n + 1);
	for (guint i = 0; i < n; i++)
		node->tokens[i] = g_strdup(
		        node->names_only ? pattern->whole->str : ((GString *)words->pdata[i])->str);
	if (!node->names_only)
		set_prefix(node, n);
	node->pattern = g_strdup(pattern->whole->str);
}

static void free_string(void *string)
{
	g_string_free(string, TRUE);
}

static bool check_pattern(
        QueryParse *p, const QueryNode *node, const QueryValue *value, const Pattern *pattern)
{
	if (pattern->letters == 0 && (pattern->signs == 0 || node->scope != SCOPE_FILENAME))
		return query_fail(p, value->position, value->length, NULL,
		        _("It has no letter or digit to search for"));
	if (pattern->stars > MAX_STARS)
		return query_fail(p, value->position, value->length, NULL,
		        _("Too many stars in a pattern: at most %d"), MAX_STARS);
	if (node->names_only && !query_matches_names(node))
		return query_fail(p, value->position, value->length, NULL,
		        _("Only file names can match this pattern: words have letters and digits "
		          "only"));
	return query_count_terms(p, value, g_strv_length(node->tokens));
}

static bool fill_pattern(QueryParse *p, QueryNode *node, const QueryValue *value)
{
	g_autoptr(GString) whole = g_string_new(NULL);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(free_string);
	Pattern pattern = {.whole = whole, .words = words, .words_fit = true};
	begin_word(&pattern);
	read_pattern(&pattern, value->text);
	set_words(node, &pattern);
	return check_pattern(p, node, value, &pattern);
}

uint32_t query_languages(const Query *query, const char *language)
{
	uint32_t known = stem_language(language) & query->languages;
	return known != 0 ? known : QUERY_ALL_LANGUAGES;
}

bool query_form_counts(const QueryNode *node, guint i, guint k, uint32_t languages)
{
	const uint32_t *of_forms = node->form_languages ? node->form_languages[i] : NULL;
	return !of_forms || (of_forms[k] & languages) != 0;
}

bool query_token_is_listed(const QueryNode *node, guint i)
{
	return node->edits > 0 ||
	       (node->pattern && node->tokens[i][strcspn(node->tokens[i], "*?[")]);
}

bool query_may_have_many_forms(const QueryNode *node)
{
	return node->op == QUERY_WORDS && node->pattern && !node->tokens[1] && node->edits == 0 &&
	       node->scope != SCOPE_ANCHOR;
}

/* ---- is it a pattern? */

typedef enum { PATTERN_NONE, PATTERN_WHOLE, PATTERN_OR_TEXT } PatternKind;

static bool has_word_letter(const char *begin, const char *end)
{
	for (; begin < end; begin = g_utf8_next_char(begin))
		if (query_is_of_words(g_utf8_get_char(begin)))
			return true;
	return false;
}

/* The end of the class at s, or NULL: the bracket is a sign. */
static const char *class_end(const char *s)
{
	const char *first = s + 1 + (s[1] == '!' || s[1] == '^'), *end = strchr(first, ']');
	if (!end || end == first || memchr(first, '[', end - first) || end[-1] == '-')
		return NULL;
	return end + 1;
}

static bool may_follow_class(const char *s)
{
	return *s == '\0' || strchr("*?[.-_", *s) || query_is_of_words(g_utf8_get_char(s));
}

/* "[1080p]": a word in brackets rather than a list of letters. */
static bool is_word_in_brackets(const char *open)
{
	enum { LONG = 4 };
	size_t length = strcspn(open + 1, "]");
	for (size_t i = 1; i <= length; i++)
		if (!g_ascii_isalnum(open[i]))
			return false;
	return length >= LONG;
}

/* "[ab]c" is a pattern; "[PATCH]" and "sshd[12]:" are text; "argv[1]" may be either. */
static PatternKind kind_of_brackets(const char *text, bool wildcards)
{
	const char *begin = text, *open;
	bool letters = wildcards, ambiguous = false, word = false;
	for (; (open = strchr(begin, '[')); begin = class_end(open)) {
		if (!class_end(open) || !may_follow_class(class_end(open)))
			return PATTERN_NONE;
		letters |= has_word_letter(begin, open);
		word |= is_word_in_brackets(open);
		ambiguous |=
		        open > text && query_is_of_words(g_utf8_get_char(g_utf8_prev_char(open)));
	}
	bool ends = begin[0] == '\0', goes_on = has_word_letter(begin, begin + strlen(begin));
	bool apart = ends || !query_is_of_words(g_utf8_get_char(begin));
	if ((!letters && !goes_on) || (!ends && !goes_on && !wildcards))
		return PATTERN_NONE;
	bool either = word || (ambiguous && apart);
	return either && !wildcards ? PATTERN_OR_TEXT : PATTERN_WHOLE;
}

/* "M*A*S*H": single letters between stars. "2**n": a power. */
static bool is_spelt_with_stars(const char *text)
{
	unsigned letters = 0, stars = 0;
	const char *power = strstr(text, "**");
	if (power && power > text && query_is_of_words(g_utf8_get_char(power + 2)))
		return true;
	for (const char *s = text; *s; s = g_utf8_next_char(s)) {
		bool letter = query_is_of_words(g_utf8_get_char(s));
		if (letter == (letters > stars) || (!letter && *s != '*'))
			return false;
		letters += letter;
		stars += !letter;
	}
	return stars > 1 && letters > stars;
}

/* Does a factor of at most four digits, without zeros before them, stand beside the star? */
static bool is_factor(const char *digits, size_t length)
{
	enum { LONGEST_FACTOR = 4 };
	return length > 0 && length <= LONGEST_FACTOR && *digits != '0';
}

/* Longer digits around a star are rather those of a number of which the middle is not known. */
bool query_is_product(const char *text)
{
	const char *s = text;
	unsigned stars = 0;
	for (;; stars++, s++) {
		size_t length = strspn(s, "0123456789");
		if (!is_factor(s, length))
			return false;
		s += length;
		if (*s != '*')
			break;
	}
	return stars > 0 &&
	       (*s == '\0' || (*s == '=' && s[1 + strspn(s + 1, "0123456789")] == '\0'));
}

/* Signs of a text that is not a value of a field: a question mark at the end asks, one in "a?b=c"
 * begins the parameters of an address, "*p" in code is a pointer, and "<?xml" is markup. */
static bool has_signs_of_text(const QueryParse *p, const char *text)
{
	size_t length = strlen(text), special = strcspn(text, "*?["), stars = strspn(text, "*");
	const char *rest = text + special;
	if (p->program || is_spelt_with_stars(text) || query_is_product(text) || strchr(text, '{'))
		return true;
	bool pointer = g_utf8_strlen(text + stars, -1) == 1 && query_looks_pasted(p);
	if (rest[strspn(rest, "?")] == '\0' || (*rest == '?' && strpbrk(rest, "=&")))
		return true;
	if (!query_is_of_words(g_utf8_get_char(text)) && !strchr("*?[.-_/~", *text))
		return true;
	return stars > 0 &&
	       (pointer || strchr(";,", text[length - 1]) || strchr("%&$@", text[stars]));
}

/* A star at the end makes a prefix. */
static PatternKind pattern_kind(const QueryParse *p, QueryScope scope, const char *text)
{
	size_t special = strcspn(text, "*?[");
	const char *rest = text + special;
	if (*rest == '\0' || (special > 0 && rest[strspn(rest, "*")] == '\0') ||
	        (scope == SCOPE_ANY && has_signs_of_text(p, text)))
		return PATTERN_NONE;
	bool wildcards = text[strcspn(text, "*?")] != '\0';
	return strchr(text, '[') ? kind_of_brackets(text, wildcards) : PATTERN_WHOLE;
}

/* ---- fuzzy words: "word~", "word~2" */

/* Length of the word before the tilde; 0: it is not fuzzy. */
static size_t fuzzy_length(const char *text, const char **digits)
{
	const char *tilde = strrchr(text, '~');
	if (!tilde || tilde == text)
		return 0;
	*digits = tilde + 1;
	if (g_str_has_prefix(*digits, "0.") && !(*digits)[2 + strspn(*digits + 2, "0123456789")])
		*digits += strlen(*digits); /* the likeness that Lucene asks for */
	return (*digits)[strspn(*digits, "0123456789")] ? 0 : tilde - text;
}

static uint64_t fuzzy_edits(const char *text, size_t length, const char *digits)
{
	enum { SHORT = 5 };
	if (*digits)
		return g_ascii_strtoull(digits, NULL, 10);
	return g_utf8_strlen(text, length) <= SHORT ? 1 : QUERY_MAX_EDITS;
}

static bool has_several_words(const char *text, size_t length)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	tokenize_phrase(text, length, query_collect, words);
	return words->len > 1;
}

/* Is it text with a tilde? Several words are ("main.c~", "12.4~2"), and so is a number that no
 * fuzzy search has, beside other words ("git reset HEAD~3"). */
static bool is_text_with_tilde(
        QueryParse *p, const QueryValue *value, size_t length, const char *digits)
{
	if (p->program || has_several_words(value->text, length))
		return true;
	if (fuzzy_edits(value->text, length, digits) <= QUERY_MAX_EDITS ||
	        value->length >= p->length)
		return false;
	query_note(p,
	        _("\"%s\" was searched as text: a fuzzy search takes one word with at most %d "
	          "wrong "
	          "letters"),
	        value->text, QUERY_MAX_EDITS);
	return true;
}

static bool fill_fuzzy(
        QueryParse *p, QueryNode *node, const QueryValue *value, size_t length, const char *digits)
{
	if (!fill_tokens(p, node, value, length))
		return false;
	node->edits = MIN(fuzzy_edits(node->tokens[0], strlen(node->tokens[0]), digits), 99);
	if (node->edits >= 1 && node->edits <= QUERY_MAX_EDITS)
		return true;
	return query_fail(p, value->position, value->length, g_strdup(_("Write word~ or word~1.")),
	        _("A fuzzy search takes one word with at most %d wrong letters"), QUERY_MAX_EDITS);
}

bool query_matches_names(const QueryNode *node)
{
	return node->scope == SCOPE_ANY || node->scope == SCOPE_FILENAME;
}

bool query_matches_only_names(const QueryNode *node)
{
	return node->names_only || (node->pattern && node->scope == SCOPE_FILENAME);
}

bool query_has_words_together(const Query *query)
{
	const QueryNode *root = query->root;
	unsigned words = 0;
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++)
		words += ((const QueryNode *)root->children->pdata[i])->op == QUERY_WORDS;
	return words > 1;
}

/* ---- phrases with gaps */

guint query_part_end(const QueryNode *node, guint i)
{
	do
		i++;
	while (node->tokens[i] && !(node->parts >> i & 1));
	return i;
}

unsigned query_parts(const QueryNode *node)
{
	unsigned n = 0;
	for (guint i = 0; node->tokens[i]; i = query_part_end(node, i))
		n++;
	return n;
}

/* Marks the words of a phrase whose modifier allows other words between them. */
static void set_gaps(QueryNode *node, const QueryValue *value)
{
	guint n = g_strv_length(node->tokens);
	if (!value->with_gaps || n < 2)
		return;
	node->parts = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
	for (guint i = 1; i < n; i++)
		if (word_joins_next(node->tokens[i - 1]))
			node->parts &= ~(UINT64_C(1) << i);
	node->gap = value->gap;
	node->ordered = value->ordered;
}

/* In an address "?", "*", "[" and "~" are not wildcards: "https://host/~user/a?b=[1]". */
static bool query_is_address(const char *text)
{
	size_t scheme =
	        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
	return query_address_scheme(text) > 0 ||
	       (scheme > 1 && g_str_has_prefix(text + scheme, "://"));
}

/* Handles the address of a mail (RFC 2392) or of a recipient (RFC 6068); no text contains the name
 * of the scheme. */
static bool query_fill_address(QueryParse *p, QueryNode *node, const QueryValue *value)
{
	QueryValue address = *value;
	address.text += query_address_scheme(value->text);
	return fill_tokens(p, node, &address, strlen(address.text));
}

/* Signs that are not a word: a name may have them. */
static void fill_signs(QueryNode *node, const char *text)
{
	g_autofree char *folded = tokenize_fold(text, strlen(text));
	node->pattern = g_strconcat("*", folded, "*", NULL);
	node->tokens = g_strdupv((char *[]){node->pattern, NULL});
	node->names_only = true;
}

static bool query_fill(QueryParse *p, QueryNode *node, const QueryValue *value)
{
	size_t length = strlen(value->text);
	const char *digits;
	if (!value->quoted && query_is_address(value->text) && value->text[length - 1] != '*')
		return query_fill_address(p, node, value);
	size_t fuzzy = value->quoted ? 0 : fuzzy_length(value->text, &digits);
	if (fuzzy > 0 && !is_text_with_tilde(p, value, fuzzy, digits))
		return fill_fuzzy(p, node, value, fuzzy, digits);
	if (!value->quoted && !node->exact &&
	        pattern_kind(p, node->scope, value->text) != PATTERN_NONE)
		return fill_pattern(p, node, value);
	if (node->scope == SCOPE_FILENAME && length > 0 && !strpbrk(value->text, "*?[") &&
	        !query_has_word(value->text, length)) {
		fill_signs(node, value->text);
		return query_count_terms(p, value, 1);
	}
	node->prefix = length > 0 && value->text[length - 1] == '*';
	return fill_tokens(p, node, value, length - node->prefix);
}

/* "src/main.c:12:" names a file by the last components of its path. */
static char *relative_path(const QueryNode *node, const char *text)
{
	const char *slash = strrchr(text, '/');
	if (node->scope != SCOPE_ANY || node->pattern || node->prefix || node->parts || !slash ||
	        *text == '/')
		return NULL;
	g_autofree char *path = g_strdup(text);
	query_cut_place(path);
	slash = strrchr(path, '/');
	return slash && slash[1] ? g_steal_pointer(&path) : NULL;
}

/* A pasted URL names its page. */
static char *web_path(const QueryNode *node, const char *text)
{
	if (node->scope != SCOPE_ANY || node->prefix || node->parts)
		return NULL;
	g_autofree char *url = path_is_web(text) ? url_canonical(text, -1, NULL, NULL) : NULL;
	return url && path_is_web(url) ? g_steal_pointer(&url) : NULL;
}

/* ---- two words that others write as one: "Wi-Fi" */

typedef struct {
	const char *text;
	int start, end; /* of the first word; -1: not read yet */
	char *joined;
	bool apostrophe; /* stands between the first word and the next */
} Hyphened;

static int query_find_joined(void *data, const char *token, int length, int start, int end)
{
	Hyphened *found = data;
	if (found->start < 0) {
		found->start = start;
		found->end = end;
		return 0;
	}
	if (start == found->start && end > found->end)
		found->joined = g_strndup(token, length);
	found->apostrophe = start > found->end &&
	                    query_is_apostrophe(found->text + found->end, start - found->end);
	return start != found->start || found->joined;
}

static char **query_joined(const QueryNode *node, const QueryValue *value)
{
	Hyphened found = {.text = value->text, .start = -1};
	if (value->quoted || node->exact || !node->tokens[1] || node->tokens[2] || node->prefix ||
	        node->pattern || node->parts)
		return NULL;
	tokenize(value->text, strlen(value->text), query_find_joined, &found);
	if (found.apostrophe)
		return query_with_apostrophes(node->tokens[0], node->tokens[1]);
	g_autofree char *joined = found.joined;
	return joined ? g_strdupv((char *[]){joined, NULL}) : NULL;
}

/* A word, phrase or pattern. */
static QueryNode *words_node(QueryParse *p, QueryScope scope, const QueryValue *value)
{
	const QueryOptions *options = p->options;
	g_autoptr(QueryNode) node = query_node_new(QUERY_WORDS, value->position, value->length);

	node->scope = options->filenames && scope == SCOPE_ANY ? SCOPE_FILENAME : scope;
	node->exact = value->exact;
	if (!query_fill(p, node, value))
		return NULL;
	set_gaps(node, value);
	node->path = query_is_address(value->text) ? web_path(node, value->text)
	                                           : relative_path(node, value->text);
	node->exact |= options->exact || value->quoted;
	node->joined = query_joined(node, value);
	node->exact |= node->tokens[1] != NULL;
	if (!node->exact && !node->prefix && !node->pattern && node->edits == 0 &&
	        !word_is_signed(node->tokens[0], strlen(node->tokens[0])))
		node->spellings = query_other_spellings(value->text, node->tokens[0]);
	return g_steal_pointer(&node);
}

/* A text in brackets that may be a pattern or not: either is searched. */
static QueryNode *either_node(QueryParse *p, QueryScope scope, const QueryValue *value)
{
	QueryValue text = *value;
	text.quoted = true;
	QueryNode *pattern = words_node(p, scope, value);
	QueryNode *words = pattern ? words_node(p, scope, &text) : NULL;
	if (!words) {
		query_node_free(pattern);
		return NULL;
	}
	QueryNode *either = query_node_new(QUERY_OR, value->position, value->length);
	query_node_add(either, pattern);
	query_node_add(either, words);
	return either;
}

QueryNode *query_words_node(QueryParse *p, QueryScope scope, const QueryValue *value)
{
	QueryValue exact = *value;
	if (!value->quoted && value->text[0] == '=' && value->text[1] && value->text[1] != '=') {
		exact.text++;
		exact.exact = true;
	}
	bool as_written = exact.quoted || exact.exact || p->options->exact;
	g_autofree char *plain = as_written ? NULL : query_plain_apostrophe(exact.text);
	if (plain)
		exact.text = plain;
	if (!exact.quoted && !exact.exact && pattern_kind(p, scope, exact.text) == PATTERN_OR_TEXT)
		return either_node(p, scope, value);
	return words_node(p, scope, &exact);
}

/* The signs between stars at both ends, or NULL: the text is another pattern. The caller frees
 * them. */
static char *signs_between_stars(const char *text)
{
	const char *first = text + strspn(text, "*");
	size_t length = strcspn(first, "*?[");
	if (length == 0 || first[length + strspn(first + length, "*")] != '\0')
		return NULL;
	return g_strndup(first, length);
}

QueryNode *query_signs_node(QueryParse *p, const QueryValue *value)
{
	bool filenames = p->options->filenames;
	g_autofree char *signs = signs_between_stars(value->text);
	if (!signs || (g_str_is_ascii(signs) && !filenames)) {
		query_fail(p, value->position, value->length,
		        g_strdup(_("To search for signs in file names, write name:*&*.")),
		        _("It has no letter or digit to search for"));
		return NULL;
	}
	QueryNode *node = query_node_new(QUERY_WORDS, value->position, value->length);
	node->scope = filenames ? SCOPE_FILENAME : SCOPE_ANY;
	fill_signs(node, signs);
	if (p->notes)
		g_string_truncate(p->notes->left_out, 0);
	query_note(p, "%s", _("Only names were searched: it has no letter or digit"));
	return node;
}
