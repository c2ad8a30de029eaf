/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/live.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/missing-lines.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/spelling-hint.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

enum { OPEN_CHARS = 3, OR_CHARS = 4, PASSAGES = 3, PASSAGE_CHARS = 400, PASSAGE_MS = 250 };

/* ---- the last word */

static bool live_is_plain(const char *word)
{
	for (const char *p = word; *p; p = g_utf8_next_char(p)) {
		if (!g_unichar_isalnum(g_utf8_get_char(p)))
			return false;
	}
	return true;
}

/* Does the text before give the next word a meaning? "a OR b*" is fine like "a", but "NOT a OR b*"
 * means something else. */
static bool live_keeps_meaning(const char *word)
{
	return strcmp(word, "NOT") == 0 || g_str_has_prefix(word, "NEAR") ||
	       g_str_has_prefix(word, "ADJ");
}

static bool quotes_are_open(const char *text)
{
	bool open = false;
	for (; *text; text++)
		open ^= *text == '"';
	return open;
}

static size_t last_word_chars(const char *text)
{
	const char *blank = strrchr(text, ' ');
	return g_utf8_strlen(blank ? blank + 1 : text, -1);
}

char *live_open_ended(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint n = g_strv_length(words);
	const char *last = n > 0 ? words[n - 1] : "";

	if (g_utf8_strlen(last, -1) < OPEN_CHARS || !live_is_plain(last) || quotes_are_open(text) ||
	        strcmp(last, "AND") == 0 || live_keeps_meaning(last) ||
	        (n > 1 && live_keeps_meaning(words[n - 2])))
		return NULL;
	return g_strdup_printf("%s OR %s*", text, last);
}

/* ---- what is still open */

/* Does an operator or a field at the end wait for its word? */
static bool live_waits(const char *word)
{
	size_t length = strlen(word);
	return strcmp(word, "AND") == 0 || strcmp(word, "OR") == 0 || live_keeps_meaning(word) ||
	       strcmp(word, "-") == 0 || (length > 1 && word[length - 1] == ':');
}

/* Cuts off words that wait for another, and parentheses with nothing in them. */
static void cut_waiting(GString *text)
{
	for (;;) {
		while (text->len > 0 && strchr(" (", text->str[text->len - 1]))
			g_string_truncate(text, text->len - 1);
		const char *blank = strrchr(text->str, ' '), *last = blank ? blank + 1 : text->str;
		last += strspn(last, "(");
		if (!live_waits(last))
			return;
		g_string_truncate(text, last - text->str);
	}
}

static unsigned open_parentheses(const char *text)
{
	unsigned open = 0;
	bool quoted = false;
	for (; *text; text++) {
		quoted ^= *text == '"';
		open += !quoted && *text == '(';
		open -= !quoted && *text == ')' && open > 0;
	}
	return open;
}

char *live_closed(const char *text)
{
	if (!g_utf8_validate(text, -1, NULL))
		return NULL;
	g_autoptr(GString) closed = g_string_new(text);
	const char *quote = strrchr(text, '"');
	if (quotes_are_open(text) && quote[1 + strspn(quote + 1, " ")]) {
		gunichar last = g_utf8_get_char(g_utf8_prev_char(text + strlen(text)));
		g_string_append(closed, g_unichar_isalnum(last) ? "*\"" : "\"");
	} else {
		if (quotes_are_open(text))
			g_string_truncate(closed, quote - text);
		if (!g_str_has_suffix(closed->str, "\""))
			cut_waiting(closed);
	}
	for (unsigned open = open_parentheses(closed->str); open > 0; open--)
		g_string_append_c(closed, ')');
	if (closed->len == 0 || strcmp(closed->str, text) == 0)
		return NULL;
	return g_string_free(g_steal_pointer(&closed), FALSE);
}

/* ---- searching */

typedef struct {
	Query *query;
	SearchResult *result;
	const char *scope; /* of Live */
} LiveAnswer;

static void answer_clear(LiveAnswer *answer)
{
	g_clear_pointer(&answer->result, search_result_free);
	g_clear_pointer(&answer->query, query_free);
}

/* True with an answer, false with error. */
static bool answer_text(Cli *cli, const char *text, const SearchOptions *options,
        LiveAnswer *answer, QueryFault *fault, GError **error)
{
	const QueryOptions as_is = {0};
	g_clear_pointer(&fault->hint, g_free);
	answer->query = search_parse(cli, text, &as_is, fault, error);
	if (answer->query && search_restrict_to(answer->query, answer->scope, error) &&
	        resolve_files(cli, answer->query, error))
		answer->result = search_run(cli->reader, answer->query, options, error);
	if (!answer->result)
		answer_clear(answer);
	return answer->result != NULL;
}

static bool has_entry(const GPtrArray *hits, const Info *info)
{
	for (guint i = 0; i < hits->len; i++) {
		const Info *each = &((const Hit *)hits->pdata[i])->info;
		if (each->node == info->node && each->document == info->document)
			return true;
	}
	return false;
}

/* Puts the hits of the exact word before those of the prefix. */
static void put_before(LiveAnswer *prefix, LiveAnswer *exact, unsigned limit)
{
	GPtrArray *hits = exact->result->hits, *rest = prefix->result->hits;
	while (rest->len > 0) {
		Hit *hit = g_ptr_array_steal_index(rest, 0);
		if (hits->len < limit && !has_entry(hits, &hit->info))
			g_ptr_array_add(hits, hit);
		else
			hit_free(hit);
	}
	prefix->result->hits = hits;
	exact->result->hits = rest;
	prefix->result->total = MAX(prefix->result->total, hits->len);
}

/* A short word begins so many words that "a OR a*" takes longer than both one after the other. The
 * word as it stands comes first, and is enough if it fills the page. */
static bool answer_short(Cli *cli, const char *text, const SearchOptions *options,
        LiveAnswer *answer, QueryFault *fault, GError **error)
{
	g_autofree char *open = g_strconcat(text, "*", NULL);
	LiveAnswer prefix = {.scope = answer->scope};
	if (!answer_text(cli, text, options, answer, fault, error))
		return false;
	if (answer->result->hits->len >= options->limit)
		return true;
	bool ok = answer_text(cli, open, options, &prefix, fault, error);
	if (ok)
		put_before(&prefix, answer, options->limit);
	answer_clear(answer);
	*answer = prefix;
	return ok;
}

static bool was_stopped(const GError *error)
{
	return g_error_matches(error, INDEX_ERROR, INDEX_ERROR_STOPPED);
}

/* Answers the text, or, if that is no query yet, what it is once it is closed. The error is that of
 * the text. */
static bool answer_open(Cli *cli, const char *text, const char *stripped,
        const SearchOptions *options, LiveAnswer *answer, QueryFault *fault, GError **error)
{
	g_autoptr(GError) why = NULL;
	if (answer_text(cli, stripped, options, answer, fault, &why))
		return true;
	g_autofree char *closed = g_error_matches(why, QUERY_ERROR, 0) ? live_closed(text) : NULL;
	QueryFault other = {0};
	bool good = closed && answer_text(cli, closed, options, answer, &other, NULL);
	g_free(other.hint);
	if (!good)
		g_propagate_error(error, g_steal_pointer(&why));
	return good;
}

/* Answers the open-ended query, if there is one and it is valid and finds something, else the text:
 * words as they stand may also be in the names of directories. True with an answer, false with
 * error. */
static bool answer_as_typed(Cli *cli, const char *text, unsigned limit, LiveAnswer *answer,
        QueryFault *fault, GError **error)
{
	g_autofree char *stripped = g_strstrip(g_strdup(text));
	g_autofree char *open = g_str_has_suffix(text, " ") ? NULL : live_open_ended(stripped);
	g_autoptr(GArray) choices = choices_for(cli, stripped);
	const SearchOptions options = {.limit = limit,
	        .copies = LIVE_HITS,
	        .no_meaning = cli_leaves_out_meaning(cli),
	        .choices = choices,
	        .uid = geteuid()};
	g_autoptr(GError) why = NULL;
	if (open &&
	        (last_word_chars(stripped) < OR_CHARS
	                        ? answer_short(cli, stripped, &options, answer, fault, &why)
	                        : answer_text(cli, open, &options, answer, fault, &why)) &&
	        answer->result->hits->len > 0)
		return true;
	answer_clear(answer);
	if (was_stopped(why)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	return answer_open(cli, text, stripped, &options, answer, fault, error);
}

static char *help_for(Cli *cli, const Query *query)
{
	const SearchOptions options = {.limit = LIVE_HITS, .uid = geteuid()};
	g_autofree char *corrected = spelling_hint(cli, query, &options, 0, NULL);
	if (corrected)
		return spelling_hint_line(corrected, false);
	g_autoptr(GPtrArray) missing = NULL;
	const Missing *first = NULL;
	if (!reader_missing(cli->reader, query, MISSING_NEAREST, &missing, NULL))
		return NULL;
	for (guint i = 0; i < missing->len && !(first && first->better); i++)
		first = missing->pdata[i];
	return first ? missing_line(first) : NULL;
}

static char *fault_line(const GError *error, const QueryFault *fault)
{
	if (!fault->hint)
		return g_strdup(error->message);
	return g_strdup_printf("%s. %s", error->message, fault->hint);
}

static bool live_is_blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

static void live_take_answer(Live *live, LiveAnswer *answer)
{
	live_drop_passages(live);
	g_clear_pointer(&live->result, search_result_free);
	g_clear_pointer(&live->query, query_free);
	live->result = answer->result;
	live->query = answer->query;
}

/* The help is about the text without its open end. */
static char *help_for_text(Live *live, Cli *cli, const char *text, unsigned limit)
{
	g_autofree char *stripped = g_strstrip(g_strdup(text));
	QueryFault fault = {0};
	const SearchOptions options = {.limit = limit,
	        .copies = LIVE_HITS,
	        .no_meaning = cli_leaves_out_meaning(cli),
	        .uid = geteuid()};
	LiveAnswer answer = {.scope = live->scope};
	if (answer_text(cli, stripped, &options, &answer, &fault, NULL))
		live_take_answer(live, &answer);
	g_free(fault.hint);
	return help_for(cli, live->query);
}

bool live_search(Live *live, Cli *cli, const char *text, unsigned limit)
{
	int64_t begin_us = g_get_monotonic_time();
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};
	LiveAnswer answer = {.scope = live->scope};

	cli_forget(cli);
	if (live_is_blank(text)) {
		live_clear(live);
		return true;
	}
	bool good = answer_as_typed(cli, text, limit, &answer, &fault, &error);
	if (was_stopped(error)) {
		g_free(fault.hint);
		return false;
	}
	g_clear_pointer(&live->fault, g_free);
	g_clear_pointer(&live->help, g_free);
	if (good)
		live_take_answer(live, &answer);
	else
		live->fault = fault_line(error, &fault);
	if (good && live->result->hits->len == 0 && !live->hits_only)
		live->help = help_for_text(live, cli, text, limit);
	live->ms = (g_get_monotonic_time() - begin_us) / 1000.0;
	g_free(fault.hint);
	return true;
}

void live_clear(Live *live)
{
	live_drop_passages(live);
	g_clear_pointer(&live->result, search_result_free);
	g_clear_pointer(&live->query, query_free);
	g_clear_pointer(&live->fault, g_free);
	g_clear_pointer(&live->help, g_free);
}

/* ---- passages */

/* Snippets borrow what they are made for: a result with one hit of the answer. */
struct LivePassages {
	GPtrArray *hits;
	SearchResult one;
	Snippets *snippets;
};

void live_drop_passages(Live *live)
{
	struct LivePassages *passages = g_steal_pointer(&live->passages);
	if (!passages)
		return;
	snippets_free(passages->snippets);
	g_ptr_array_unref(passages->hits);
	g_free(passages);
}

void live_begin_passages(Live *live, Cli *cli, guint hit)
{
	const SnippetLimits limits = {PASSAGES, PASSAGE_CHARS, PASSAGE_MS};
	struct LivePassages *passages = g_new0(struct LivePassages, 1);

	live_drop_passages(live);
	passages->hits = g_ptr_array_new();
	g_ptr_array_add(passages->hits, live->result->hits->pdata[hit]);
	passages->one.hits = passages->hits;
	passages->snippets = snippets_new(cli, &passages->one, live->query, &limits);
	live->passages = passages;
}

bool live_passages_are_ready(const Live *live)
{
	return live->passages && snippets_are_ready(live->passages->snippets, 0);
}

GPtrArray *live_take_passages(Live *live)
{
	const GPtrArray *found = live->passages ? snippets_of(live->passages->snippets, 0) : NULL;
	GPtrArray *taken = found ? g_ptr_array_ref((GPtrArray *)found) : NULL;
	live_drop_passages(live);
	return taken;
}
