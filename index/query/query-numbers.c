/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-numbers.c - other ways to write a number of a query: 0170 1234567 and +49 170 1234567,
 * 4F0615301D and 4F0 615 301 D, an IBAN in groups of four or in one, an ISBN, a day in another
 * order
 *
 * People divide numbers as they like, and the index has the parts that they made. All divisions
 * into parts that are terms of the index are possible ones; few parts are likelier than many, and
 * equal ones than others. Of days, books and telephone numbers the usual ones are known. */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/text.h"
#include <string.h>

enum {
	LONGEST = 34, /* an IBAN (ISO 13616) */
	SHORTEST = 3, /* 18g */
	SHORTEST_OF_DIGITS = 6, /* 2024 is a year */
	LONGEST_PART = 12,
	MOST_PARTS = 6,
	MOST_PHRASES = 24,
	MOST_SPELLINGS = 48,
	MOST_OF_TARGET = 6,
	MOST_STEPS = 2000,
	SHORT_WORD = 3, /* letters of "ICE 27" */
	SHORT_END = 2, /* letters of "8E0 615 301 AD" */
	SHORTEST_ALONE = 5, /* a word that is divided without those beside it */
	SHORTEST_TELEPHONE = 9, /* 01/02/2024 is a day */
	MOST_DAY_WORDS = 5, /* 14 de marzo de 2025 */
	MOST_MONTH_WORDS = 3, /* marzo de 2025 */
	MOST_CODE_WORDS = 9, /* an IBAN in groups of four */
};

/* MONTH: "03/2025" may also be another number; BOOK: an ISBN; ACCOUNT: an IBAN, a credit card. */
typedef enum {
	NUMBER_ANY,
	NUMBER_MONTH,
	NUMBER_TELEPHONE, /* this and those after it are certain */
	NUMBER_DAY,
	NUMBER_BOOK,
	NUMBER_ACCOUNT,
} NumberKind;

/* Adjacent words of the query: at most one of letters, those with digits, one of letters. */
typedef struct {
	const Query *query;
	const GPtrArray *nodes; /* QueryNode: what must match together */
	GPtrArray *alone; /* the nodes of a query of one node */
	guint first, last; /* the words from the first to the last with digits */
	bool lead, trail; /* short words of letters stand before and after */
	bool label, label_after; /* "ISBN" or "EUR" stands beside it, which not all texts write */
	bool plus; /* a plus sign stands before the first digit */
	NumberKind kind;
	char *code; /* of a book or an account: its letters and digits */
	bool certain; /* only a number whose kind is known is looked for, as a whole */
	GPtrArray *spellings; /* char *: phrases that mean the same; NULL: only the parts tell */
	GHashTable *exists; /* terms of the index that a variant may have */
	unsigned phrases;
} NumberRun;

/* ---- the words of the query */

/* A word, or a word or what begins with it, as a search while typing has it. NULL: neither. */
static const QueryNode *number_leaf(const QueryNode *node)
{
	if (node->op != QUERY_OR || node->children->len != 2)
		return node->op == QUERY_WORDS ? node : NULL;
	const QueryNode *word = node->children->pdata[0], *prefix = node->children->pdata[1];
	bool same = word->op == QUERY_WORDS && prefix->op == QUERY_WORDS && prefix->prefix &&
	            !word->prefix && !prefix->tokens[1] &&
	            strcmp(word->tokens[0], prefix->tokens[0]) == 0;
	return same ? word : NULL;
}

static bool number_is_plain(const Query *query, const QueryNode *node)
{
	size_t length = strlen(query->text);
	if (!node || node->scope != SCOPE_ANY || node->prefix || node->pattern || node->edits > 0 ||
	        node->parts || (node->exact && !node->tokens[1]) || node->length == 0 ||
	        node->position >= length || strchr("\"=", query->text[node->position]))
		return false;
	for (char **token = node->tokens; *token; token++)
		for (const char *s = *token; *s; s++)
			if (!g_ascii_isalnum(*s))
				return false;
	return true;
}

static bool number_has_digit(const QueryNode *node)
{
	for (char **token = node->tokens; *token; token++)
		if (strpbrk(*token, "0123456789"))
			return true;
	return false;
}

static const QueryNode *run_leaf(const NumberRun *run, guint i)
{
	const QueryNode *leaf = i < run->nodes->len ? number_leaf(run->nodes->pdata[i]) : NULL;
	return leaf && number_is_plain(run->query, leaf) ? leaf : NULL;
}

static bool run_has_digit(const NumberRun *run, guint i)
{
	const QueryNode *leaf = run_leaf(run, i);
	return leaf && number_has_digit(leaf);
}

static bool run_has_short_word(const NumberRun *run, guint i, size_t longest)
{
	const QueryNode *leaf = run_leaf(run, i);
	return leaf && !leaf->tokens[1] && !number_has_digit(leaf) &&
	       strlen(leaf->tokens[0]) <= longest;
}

/* The letters and digits of the nodes from first to last. */
static char *run_join(const NumberRun *run, guint first, guint last)
{
	GString *out = g_string_new(NULL);
	for (guint i = first; i <= last; i++)
		for (char **token = run_leaf(run, i)->tokens; *token; token++)
			g_string_append(out, *token);
	return g_string_free(out, FALSE);
}

/* The text from the first digit of a word on. */
static const char *run_digits(const NumberRun *run, guint i)
{
	const char *text = run->query->text + run_leaf(run, i)->position;
	return text + strcspn(text, "0123456789");
}

static bool run_read_day(NumberRun *run, guint first, NumberKind kind)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	guint most = kind == NUMBER_DAY ? MOST_DAY_WORDS : MOST_MONTH_WORDS;
	for (guint i = first; i < first + most && run_leaf(run, i); i++) {
		for (char **token = run_leaf(run, i)->tokens; *token; token++)
			g_ptr_array_add(words, *token);
		const char *digits = run_digits(run, i);
		char sign = i == first ? digits[strspn(digits, "0123456789")] : '\0';
		QueryDay day;
		const char *const *parts = (const char *const *)words->pdata;
		if (!(kind == NUMBER_DAY ? query_day_read(parts, words->len, sign, &day)
		                         : query_month_read(parts, words->len, sign, &day)))
			continue;
		run->spellings = kind == NUMBER_DAY ? query_day_spellings(&day)
		                                    : query_month_spellings(&day);
		run->first = first;
		run->last = i;
		run->kind = kind;
		return true;
	}
	return false;
}

static bool run_find_day(NumberRun *run, NumberKind kind)
{
	for (guint i = 0; i < run->nodes->len; i++)
		if (run_read_day(run, i, kind))
			return true;
	return false;
}

/* ---- numbers with check digits */

static bool is_code_label(const char *word)
{
	return g_str_has_prefix(word, "isbn") || g_str_has_prefix(word, "iban");
}

static bool run_has_label(const NumberRun *run, guint first)
{
	const QueryNode *leaf = first > 0 ? run_leaf(run, first - 1) : NULL;
	return leaf && is_code_label(leaf->tokens[0]);
}

/* An ISBN of ten digits is one only if its name or its parts tell so too. */
static bool run_is_book(const NumberRun *run, guint first, const GPtrArray *words, const char *code)
{
	enum { OLD_PARTS = 4, OLD_LENGTH = 10 };
	const char *check = words->pdata[words->len - 1];
	bool parts = words->len == OLD_PARTS && strlen(check) == 1;
	bool named = run_has_label(run, first) || is_code_label(run_leaf(run, first)->tokens[0]);
	return query_is_book(code) &&
	       (strlen(code) > OLD_LENGTH || parts || strchr(code, 'x') || named);
}

/* The first word of a code: "ISBN:978-3-16-148410-0", "ISBN-13:9783161484100". */
static char **code_begins(const QueryNode *leaf)
{
	char **token = leaf->tokens;
	if (!token[1] || !is_code_label(token[0]))
		return token;
	bool length = strcmp(token[1], "10") == 0 || strcmp(token[1], "13") == 0;
	return token + (length && token[2] ? 2 : 1);
}

static bool run_read_code(NumberRun *run, guint first)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GString) code = g_string_new(NULL);
	for (guint i = first; i < first + MOST_CODE_WORDS && run_leaf(run, i); i++) {
		for (char **token = code_begins(run_leaf(run, i)); *token; token++) {
			g_ptr_array_add(words, *token);
			g_string_append(code, *token);
		}
		bool book = run_is_book(run, first, words, code->str);
		if (!book && !(run_has_digit(run, i) && query_is_account(code->str)))
			continue;
		run->kind = book ? NUMBER_BOOK : NUMBER_ACCOUNT;
		g_free(run->code);
		run->code = g_strdup(code->str);
		run->first = first;
		run->last = i;
	}
	return run->kind != NUMBER_ANY;
}

static bool run_find_code(NumberRun *run)
{
	guint first = 0;
	while (first < run->nodes->len && !(run_has_digit(run, first) && run_read_code(run, first)))
		first++;
	if (first == run->nodes->len)
		return false;
	run->label = run_has_label(run, first);
	if (run->kind == NUMBER_BOOK)
		run->spellings = query_book_spellings(run->code);
	return true;
}

/* Finds the first number from this word on. */
static bool run_find_number(NumberRun *run, guint from)
{
	guint n = run->nodes->len;
	run->first = from;
	while (run->first < n && !run_has_digit(run, run->first))
		run->first++;
	if (run->first == n)
		return false;
	run->last = run->first;
	for (guint i = run->first; i < n; i++) {
		if (run_has_digit(run, i))
			run->last = i;
		else if (!run_has_short_word(run, i, SHORT_END))
			break;
	}
	run->lead = run->first > 0 && run_has_short_word(run, run->first - 1, SHORT_WORD);
	run->trail = run_has_short_word(run, run->last + 1, SHORT_END);
	const char *text = run->query->text + run_leaf(run, run->first)->position;
	run->plus = *text == '+' || (text > run->query->text && text[-1] == '+');
	return true;
}

/* ---- telephone numbers */

static GPtrArray *run_parts(const NumberRun *run)
{
	GPtrArray *parts = g_ptr_array_new();
	for (guint i = run->first; i <= run->last; i++)
		for (char **token = run_leaf(run, i)->tokens; *token; token++)
			g_ptr_array_add(parts, *token);
	g_ptr_array_add(parts, NULL);
	return parts;
}

/* Is it written with nothing but digits and the signs of telephone numbers (ITU-T E.123)? */
static bool run_is_telephone(const NumberRun *run)
{
	const QueryNode *last = run_leaf(run, run->last);
	const char *text = run->query->text + run_leaf(run, run->first)->position;
	const char *end = run->query->text + last->position + last->length;
	g_autoptr(GPtrArray) parts = run_parts(run);
	g_autofree char *digits = run_join(run, run->first, run->last);
	/* 0.123456789 is a fraction */
	const char *signs =
	        strcmp(parts->pdata[0], "0") == 0 ? "0123456789 +/-()" : "0123456789 +/-().";
	return text < end && (ptrdiff_t)strspn(text, signs) >= end - text &&
	       strlen(digits) >= SHORTEST_TELEPHONE && query_is_telephone(digits) &&
	       (run->plus || *digits == '0' ||
	               query_is_american_telephone((const char *const *)parts->pdata));
}

static bool run_read_telephone(NumberRun *run)
{
	if (!run_is_telephone(run))
		return false;
	g_autoptr(GPtrArray) parts = run_parts(run);
	run->kind = NUMBER_TELEPHONE;
	run->spellings = query_telephone_spellings((const char *const *)parts->pdata, run->plus);
	return true;
}

/* 20250314, as names of files have a day, may be another number too. NULL: it is no day. */
static GPtrArray *spellings_of_digits(const char *digits)
{
	enum { DIGITS = 8, EARLIEST = 1900, LATEST = 2099 };
	unsigned n = g_ascii_strtoull(digits, NULL, 10);
	QueryDay day = {n % 100, n / 100 % 100, n / 10000};
	bool fits = strspn(digits, "0123456789") == DIGITS && !digits[DIGITS] &&
	            day.year >= EARLIEST && day.year <= LATEST &&
	            g_date_valid_dmy(day.day, day.month, day.year);
	return fits ? query_day_spellings(&day) : NULL;
}

static bool run_has_currency(const NumberRun *run, guint i)
{
	const QueryNode *leaf = run_leaf(run, i);
	return leaf && !leaf->tokens[1] && query_is_currency(leaf->tokens[0]);
}

/* 4321.00 EUR is 4,321.00 € in other texts. */
static void run_read_currency(NumberRun *run, const char *const *words)
{
	bool before = run->first > 0 && run_has_currency(run, run->first - 1);
	if (!query_is_amount(words) || !(before || run_has_currency(run, run->last + 1)))
		return;
	g_ptr_array_add(run->spellings, g_strjoinv(" ", (char **)words));
	run->label = before;
	run->label_after = !before;
	run->lead &= !before;
}

/* Numbers of these kinds may also be others, so they are not certain. */
static void run_read_figure(NumberRun *run)
{
	const char *const *words = (const char *const *)run_leaf(run, run->first)->tokens;
	const char *digits = run_digits(run, run->first);
	if (run->first < run->last)
		return;
	if (!words[1])
		run->spellings = spellings_of_digits(words[0]);
	if (!run->spellings)
		run->spellings =
		        query_figure_spellings(words, digits[strspn(digits, "0123456789")]);
	run_read_currency(run, words);
}

/* Finds a number whose kind is known, else the first one. */
static bool run_find(NumberRun *run)
{
	if (run_find_day(run, NUMBER_DAY) || run_find_code(run))
		return true;
	for (guint i = 0; run_find_number(run, i); i = run->last + 1)
		if (run_read_telephone(run))
			return true;
	run->lead = run->trail = run->plus = false;
	if (run_find_day(run, NUMBER_MONTH))
		return true;
	if (!run_find_number(run, 0))
		return false;
	run_read_figure(run);
	return true;
}

/* ---- the vocabulary */

static void vocabulary_add_parts(GHashTable *terms, const char *target)
{
	size_t length = strlen(target);
	for (size_t i = 0; i < length; i++)
		for (size_t n = 1; n <= MIN(LONGEST_PART, length - i); n++)
			g_hash_table_add(terms, g_strndup(target + i, n));
	g_hash_table_add(terms, g_strdup(target));
}

static void vocabulary_add_phrases(GHashTable *terms, const GPtrArray *phrases)
{
	for (guint i = 0; i < phrases->len; i++) {
		g_auto(GStrv) words = g_strsplit(phrases->pdata[i], " ", -1);
		for (char **word = words; *word; word++)
			g_hash_table_add(terms, g_strdup(*word));
	}
}

/* Drops the terms that the index does not have. */
static bool vocabulary_look_up(GHashTable *terms, QueryTermsExist exist, void *data, GError **error)
{
	guint n;
	g_autofree char **keys = (char **)g_hash_table_get_keys_as_array(terms, &n);
	g_autofree bool *found = g_new0(bool, n + 1);
	qsort(keys, n, sizeof *keys, text_compare_elements);
	if (!exist((const char *const *)keys, n, found, data, error))
		return false;
	for (guint i = 0; i < n; i++)
		if (!found[i])
			g_hash_table_remove(terms, keys[i]);
	return true;
}

/* ---- divisions of a number */

typedef struct {
	const NumberRun *run;
	const char *target;
	GPtrArray *found; /* char *: parts separated by blanks */
	char *parts[MOST_PARTS];
	unsigned n, steps;
} Division;

static void division_keep(Division *d, char *phrase)
{
	if (d->found->len < MOST_OF_TARGET &&
	        !g_ptr_array_find_with_equal_func(d->found, phrase, g_str_equal, NULL))
		g_ptr_array_add(d->found, phrase);
	else
		g_free(phrase);
}

/* Groups of equal size; the first one may be shorter if they are counted from the right. */
static void division_try_equal(Division *d, size_t size, bool from_right)
{
	g_autoptr(GString) phrase = g_string_new(NULL);
	size_t length = strlen(d->target), first = from_right ? length % size : 0;
	for (size_t at = 0, n; at < length; at += n) {
		n = MIN(at == 0 && first > 0 ? first : size, length - at);
		g_autofree char *part = g_strndup(d->target + at, n);
		if (!g_hash_table_contains(d->run->exists, part))
			return;
		g_string_append_printf(phrase, "%s%s", at > 0 ? " " : "", part);
	}
	division_keep(d, g_strdup(phrase->str));
}

/* Divides the text into so many parts more. Only the first and the last one may be a single
 * character. */
static void division_go_on(Division *d, const char *text, unsigned left)
{
	size_t length = strlen(text), least = d->n == 0 ? 1 : 2;
	if (left == 1)
		least = length;
	for (size_t n = least; n <= MIN(length, LONGEST_PART) && d->steps < MOST_STEPS; n++) {
		g_autofree char *part = g_strndup(text, n);
		d->steps++;
		if ((left > 1 && n == length) || !g_hash_table_contains(d->run->exists, part))
			continue;
		d->parts[d->n++] = part;
		d->parts[d->n] = NULL;
		if (left > 1)
			division_go_on(d, text + n, left - 1);
		else
			division_keep(d, g_strjoinv(" ", d->parts));
		d->n--;
	}
}

/* Returns the ways to write the target: GPtrArray of char *. */
static GPtrArray *divide(const NumberRun *run, const char *target)
{
	Division d = {
	        .run = run, .target = target, .found = g_ptr_array_new_with_free_func(g_free)};
	if (g_hash_table_contains(run->exists, target))
		division_keep(&d, g_strdup(target));
	for (size_t size = 4; size >= 2; size--)
		division_try_equal(&d, size, false);
	division_try_equal(&d, 3, true);
	for (unsigned parts = 2; parts < MOST_PARTS; parts++)
		division_go_on(&d, target, parts);
	return d.found;
}

/* ---- the tree */

/* The words that are joined: those with digits, and perhaps those beside them. */
typedef struct {
	bool lead, trail;
	GPtrArray *targets; /* char * */
} NumberSpan;

static QueryNode *phrase_node(const char *words)
{
	QueryNode *node = query_node_new(QUERY_WORDS, 0, 0);
	node->scope = SCOPE_ANY;
	node->tokens = g_strsplit(words, " ", -1);
	node->exact = true;
	return node;
}

static void add_phrases(NumberRun *run, QueryNode *either, const GPtrArray *phrases)
{
	for (guint i = 0; i < phrases->len && run->phrases < MOST_PHRASES; i++, run->phrases++)
		query_node_add(either, phrase_node(phrases->pdata[i]));
}

static void add_divisions(NumberRun *run, QueryNode *either, const char *target)
{
	size_t length = strlen(target), digits = strspn(target, "0123456789");
	if (length < (digits == length ? SHORTEST_OF_DIGITS : SHORTEST) || length > LONGEST)
		return;
	g_autoptr(GPtrArray) phrases = divide(run, target);
	add_phrases(run, either, phrases);
}

/* Is the run all of the number, whatever stands beside it? */
static bool run_is_whole(const NumberRun *run)
{
	return run->certain || (run->kind != NUMBER_ANY && run->kind != NUMBER_TELEPHONE);
}

/* Are all ways to write it known? */
static bool run_is_spelt(const NumberRun *run)
{
	return run->kind == NUMBER_DAY || run->kind == NUMBER_MONTH || run->kind == NUMBER_BOOK;
}

/* The digits in groups of three, as thousands are written; NULL: a group is no term of the index.
 * The caller frees it. */
static char *thousands_of(const NumberRun *run, const char *digits)
{
	g_autoptr(GString) out = g_string_new(NULL);
	size_t length = strlen(digits);
	for (size_t at = 0, n; at < length; at += n) {
		n = (length - at - 1) % 3 + 1;
		g_autofree char *group = g_strndup(digits + at, n);
		if (!g_hash_table_contains(run->exists, group))
			return NULL;
		g_string_append_printf(out, "%s%s", at > 0 ? " " : "", group);
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

/* 1234.50 is 1,234.50 in other texts: an amount, whose decimals are a part of their own. */
static void add_thousands(NumberRun *run, QueryNode *either)
{
	char **tokens = run_leaf(run, run->first)->tokens;
	size_t length = strlen(tokens[0]);
	if (run_is_whole(run) || run->first < run->last || (tokens[1] && tokens[2]) ||
	        length <= 3 || *tokens[0] == '0' || strspn(tokens[0], "0123456789") < length)
		return;
	g_autofree char *groups = thousands_of(run, tokens[0]);
	if (!groups)
		return;
	g_autofree char *phrase = g_strjoin(" ", groups, tokens[1], NULL);
	query_node_add(either, phrase_node(phrase));
	run->phrases++;
}

static bool phrase_may_occur(const NumberRun *run, const char *phrase)
{
	g_auto(GStrv) words = g_strsplit(phrase, " ", -1);
	for (char **word = words; *word; word++)
		if (!g_hash_table_contains(run->exists, *word))
			return false;
	return true;
}

static void run_add_spellings(const NumberRun *run, QueryNode *either)
{
	unsigned added = 0;
	for (guint i = 0; run->spellings && i < run->spellings->len && added < MOST_SPELLINGS;
	        i++) {
		if (!phrase_may_occur(run, run->spellings->pdata[i]))
			continue;
		query_node_add(either, phrase_node(run->spellings->pdata[i]));
		added++;
	}
}

/* Makes the only child or none of a node of several. */
static QueryNode *node_of_children(QueryNode *node)
{
	if (node->children->len > 1)
		return node;
	QueryNode *only =
	        node->children->len == 1 ? g_ptr_array_steal_index(node->children, 0) : NULL;
	query_node_free(node);
	return only;
}

/* The whole run, with or without the words beside it, as the targets can be written. NULL: nothing
 * has it so. */
static QueryNode *variant_node(NumberRun *run, const NumberSpan *span, const GPtrArray *countries)
{
	QueryNode *either = query_node_new(QUERY_OR, 0, 0);
	if (!span->lead && !span->trail) {
		run_add_spellings(run, either);
		add_thousands(run, either);
	}
	for (guint i = 0; i < span->targets->len; i++)
		add_divisions(run, either, span->targets->pdata[i]);
	if (countries)
		add_phrases(run, either, countries);
	either = node_of_children(either);
	if (!either)
		return NULL;
	QueryNode *all = query_node_new(QUERY_AND, 0, 0);
	query_node_add(all, either);
	if (run->lead && !span->lead)
		query_node_add(all, query_node_copy(run->nodes->pdata[run->first - 1]));
	if (run->trail && !span->trail)
		query_node_add(all, query_node_copy(run->nodes->pdata[run->last + 1]));
	return node_of_children(all);
}

/* Each word with digits as it is or as it can be divided. NULL: none of them can. */
static QueryNode *separate_node(NumberRun *run)
{
	QueryNode *all = query_node_new(QUERY_AND, 0, 0);
	unsigned before = run->phrases;
	for (guint i = run->first - run->lead; i <= run->last + run->trail; i++) {
		QueryNode *either = query_node_new(QUERY_OR, 0, 0);
		query_node_add(either, query_node_copy(run->nodes->pdata[i]));
		g_autofree char *target = run_join(run, i, i);
		if (run_has_digit(run, i) && strlen(target) >= SHORTEST_ALONE)
			add_divisions(run, either, target);
		query_node_add(all, node_of_children(either));
	}
	if (run->phrases > before)
		return node_of_children(all);
	query_node_free(all);
	return NULL;
}

/* ---- all of it */

static void run_fill_spans(const NumberRun *run, NumberSpan spans[4])
{
	for (unsigned i = 0; i < 4; i++) {
		NumberSpan *span = &spans[i];
		*span = (NumberSpan){i & 1, i & 2, g_ptr_array_new_with_free_func(g_free)};
		if ((span->lead && !run->lead) || (span->trail && !run->trail) ||
		        (i > 0 && run_is_whole(run)) || run_is_spelt(run))
			continue;
		char *whole =
		        run->code ? g_strdup(run->code)
		                  : run_join(run, run->first - span->lead, run->last + span->trail);
		g_ptr_array_add(span->targets, whole);
		if (i == 0 && !run->code)
			query_telephone_targets(span->targets, whole, run->plus);
	}
}

/* Looks up what the variants may consist of. */
static bool run_look_up(NumberRun *run, const NumberSpan spans[4], GPtrArray *countries,
        QueryTermsExist exist, void *data, GError **error)
{
	for (unsigned i = 0; i < 4; i++)
		for (guint k = 0; k < spans[i].targets->len; k++)
			if (strlen(spans[i].targets->pdata[k]) <= LONGEST)
				vocabulary_add_parts(run->exists, spans[i].targets->pdata[k]);
	if (run->spellings)
		vocabulary_add_phrases(run->exists, run->spellings);
	const char *whole = run_is_spelt(run) ? "" : spans[0].targets->pdata[0];
	if (query_is_telephone(whole) && !run->plus && *whole == '0' && whole[1] != '0')
		query_telephone_countries(countries, whole);
	for (guint i = 0; i < countries->len; i++)
		g_hash_table_add(run->exists, g_strdup(countries->pdata[i]));
	if (!vocabulary_look_up(run->exists, exist, data, error))
		return false;
	for (guint i = countries->len; i-- > 0;)
		if (!g_hash_table_contains(run->exists, countries->pdata[i]))
			g_ptr_array_remove_index(countries, i);
	return true;
}

static QueryNode *run_variants(
        NumberRun *run, const NumberSpan spans[4], const GPtrArray *countries)
{
	QueryNode *either = query_node_new(QUERY_OR, 0, 0);
	for (unsigned i = 0; i < (run_is_whole(run) ? 1 : 4); i++) {
		QueryNode *node = variant_node(run, &spans[i], i == 0 ? countries : NULL);
		if (node)
			query_node_add(either, node);
	}
	QueryNode *separate =
	        !run_is_whole(run) && (run->first < run->last || run->lead || run->trail)
	                ? separate_node(run)
	                : NULL;
	if (separate)
		query_node_add(either, separate);
	return node_of_children(either);
}

/* The first and the last word that belong to the run. */
static guint run_begins(const NumberRun *run)
{
	return run->first - (run->lead || run->label);
}

static guint run_ends(const NumberRun *run)
{
	return run->last + (run->trail || run->label_after);
}

/* The words of the run, as they were typed. */
static QueryNode *typed_node(const NumberRun *run)
{
	QueryNode *all = query_node_new(QUERY_AND, 0, 0);
	for (guint i = run_begins(run); i <= run_ends(run); i++)
		query_node_add(all, query_node_copy(run->nodes->pdata[i]));
	return node_of_children(all);
}

/* The whole query with the run or a variant of it: a query that is kept and run again may find the
 * run by then. */
static QueryNode *run_replace(const NumberRun *run, QueryNode *variants)
{
	QueryNode *all = query_node_new(QUERY_AND, 0, 0);
	for (guint i = 0; i < run->nodes->len; i++)
		if (i < run_begins(run) || i > run_ends(run))
			query_node_add(all, query_node_copy(run->nodes->pdata[i]));
	QueryNode *either = query_node_new(QUERY_OR, 0, 0);
	query_node_add(either, typed_node(run));
	query_node_add(either, variants);
	query_node_add(all, either);
	return node_of_children(all);
}

static QueryNode *run_rewrite(NumberRun *run, QueryTermsExist exist, void *data, GError **error)
{
	NumberSpan spans[4];
	QueryNode *variants = NULL;
	g_autoptr(GPtrArray) countries = g_ptr_array_new_with_free_func(g_free);
	run_fill_spans(run, spans);
	if (run_look_up(run, spans, countries, exist, data, error))
		variants = run_variants(run, spans, countries);
	for (unsigned i = 0; i < 4; i++)
		g_ptr_array_unref(spans[i].targets);
	return variants ? run_replace(run, variants) : NULL;
}

static Query *query_of_root(const Query *query, QueryNode *root)
{
	Query *other = g_new0(Query, 1);
	other->text = g_strdup(query->text);
	other->root = root;
	query_drop_forms(other);
	return other;
}

static void run_clear(NumberRun *run)
{
	g_ptr_array_unref(run->alone);
	g_free(run->code);
	if (run->spellings)
		g_ptr_array_unref(run->spellings);
	if (run->exists)
		g_hash_table_unref(run->exists);
}

/* Finds a number. False: there is none, or none of those that are looked for. */
static bool run_begin(NumberRun *run, const Query *query, bool certain)
{
	*run = (NumberRun){.query = query, .certain = certain, .alone = g_ptr_array_new()};
	g_ptr_array_add(run->alone, query->root);
	run->nodes = query->root->op == QUERY_AND ? query->root->children : run->alone;
	return run_find(run) && (!certain || run->kind > NUMBER_MONTH);
}

static bool vary_number(const Query *query, bool certain, QueryTermsExist exist, void *data,
        Query **varied_r, GError **error)
{
	NumberRun run;
	GError *failed = NULL;
	*varied_r = NULL;
	if (run_begin(&run, query, certain)) {
		run.exists = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		QueryNode *root = run_rewrite(&run, exist, data, &failed);
		if (root)
			*varied_r = query_of_root(query, root);
	}
	run_clear(&run);
	if (failed)
		g_propagate_error(error, failed);
	return !failed;
}

bool query_has_certain_number(const Query *query)
{
	NumberRun run;
	bool found = run_begin(&run, query, true);
	run_clear(&run);
	return found;
}

bool query_vary_numbers(
        const Query *query, QueryTermsExist exist, void *data, Query **varied_r, GError **error)
{
	return vary_number(query, false, exist, data, varied_r, error);
}

bool query_vary_certain_number(const Query *query, QueryTermsExist exist, void *data,
        Query **varied_r, Query **others_r, GError **error)
{
	*others_r = NULL;
	if (!vary_number(query, true, exist, data, varied_r, error))
		return false;
	if (!*varied_r)
		return true;
	QueryNode *all = query_node_copy((*varied_r)->root);
	if (all->op != QUERY_AND) {
		QueryNode *only = all;
		all = query_node_new(QUERY_AND, 0, 0);
		query_node_add(all, only);
	}
	QueryNode *without = query_node_new(QUERY_NOT, 0, 0);
	query_node_add(without, query_node_copy(query->root));
	query_node_add(all, without);
	*others_r = query_of_root(query, all);
	return true;
}
