/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-otherwise.c - tells of text that other programs read otherwise
 *
 * "walrus|narwhal" is a choice elsewhere, "foo^4" has a weight, "fo.*" is a regular expression,
 * "5*3" may be a pattern, and in braces is a list of alternatives. Here they are text, which a note
 * says: the person may wait for hits that the query does not mean. */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

static bool is_plain_word(const char *text, size_t length)
{
	const char *end = text + length;
	for (const char *s = text; s < end; s = g_utf8_next_char(s))
		if (!query_is_of_words(g_utf8_get_char(s)))
			return false;
	return length > 1;
}

/* The words that "|" or blanks separate, joined by OR; NULL: they are not all plain, or there is
 * only one. The caller frees it. */
static char *alternatives(const char *text, size_t length, const char *separators)
{
	g_autofree char *list = g_strndup(text, length);
	g_auto(GStrv) words = g_strsplit_set(list, separators, -1);
	for (char **word = words; *word; word++)
		if (!is_plain_word(*word, strlen(*word)))
			return NULL;
	return g_strv_length(words) > 1 ? g_strjoinv(" OR ", words) : NULL;
}

/* "foo^4", "foo^2.5". */
static bool has_weight(const char *text)
{
	const char *sign = strchr(text, '^');
	return sign && sign[1] && is_plain_word(text, sign - text) &&
	       sign[1 + strspn(sign + 1, "0123456789.")] == '\0';
}

/* "fo.*", "\bfoo", "x?.y": in a pattern of this language a point is not a wildcard. */
static bool is_regular_expression(const char *text)
{
	static const char *const parts[] = {".*", ".+", "?.", "\\.", "+)", NULL};
	const char *first = g_utf8_next_char(text);
	for (size_t i = 0; parts[i]; i++) {
		const char *part = strstr(text, parts[i]);
		/* "*.*" and "???.txt" are patterns of names */
		if (part && !(part > text && part[-1] == '*') &&
		        !(parts[i][0] == '?' && (part == text || part[-1] == '?')) &&
		        !(parts[i][0] == '.' && part == text))
			return true;
	}
	/* "\d+", but not the path "a\data" */
	for (const char *s = text; (s = strchr(s, '\\')); s++)
		if (s[1] && strchr("bdsw", s[1]) && !query_is_of_words(g_utf8_get_char(s + 2)))
			return true;
	return text[0] == '^' && *first && query_is_of_words(g_utf8_get_char(first));
}

void query_note_otherwise(QueryParse *p, const QueryValue *value)
{
	const char *text = value->text;
	if (!p->notes || p->program || value->quoted || !*text)
		return;
	g_autofree char *choice = strchr(text, '|') ? alternatives(text, strlen(text), "|") : NULL;
	if (choice)
		query_note(p,
		        _("The words of \"%s\" were searched beside each other; to find any of "
		          "them, write: %s"),
		        text, choice);
	else if (has_weight(text))
		query_note(p,
		        _("The words of \"%s\" were searched beside each other: there are no "
		          "weights"),
		        text);
	else if (query_is_product(text) && !strchr(text, '=') && !p->options->filenames)
		query_note(p,
		        _("\"%s\" was searched as a product; to search it as a pattern, write: "
		          "[%c]%s"),
		        text, *text, text + 1);
	else if (is_regular_expression(text))
		query_note(p,
		        _("\"%s\" was not read as a regular expression: * stands for any letters, "
		          "? for one"),
		        text);
}

void query_note_braces(QueryParse *p)
{
	if (!p->notes || p->program)
		return;
	g_autofree char *text = query_outside_phrases(p);
	for (const char *open = strchr(text, '{'), *close; open; open = strchr(open + 1, '{')) {
		close = strchr(open, '}');
		bool begins = open == text || strchr(" :", open[-1]);
		g_autofree char *choice =
		        begins && close && !g_strstr_len(open, close - open, " TO ")
		                ? alternatives(open + 1, close - open - 1, " ")
		                : NULL;
		if (choice)
			query_note(p,
			        _("Braces do not group, so all words were searched; to find any of "
			          "them, write: %s"),
			        choice);
	}
}

/* ---- operators of other languages */

static const struct {
	const char *word, *operator;
} other_operators[] = {
        {"UND", "AND"},
        {"ODER", "OR"},
        {"NICHT", "NOT"},
        {"ET", "AND"},
        {"OU", "OR"},
        {"SAUF", "NOT"},
        {"И", "AND"},
        {"ИЛИ", "OR"},
        {"НЕ", "NOT"},
};

static const char *otherwise_operator(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(other_operators); i++)
		if (strcmp(other_operators[i].word, word) == 0)
			return other_operators[i].operator;
	return NULL;
}

/* The same in small letters. "not" is too often a word. */
static const char *otherwise_small_operator(const char *word)
{
	g_autofree char *capitals = g_utf8_strup(word, -1);
	const char *found = strcmp(capitals, "AND") == 0  ? "AND"
	                    : strcmp(capitals, "OR") == 0 ? "OR"
	                                                  : otherwise_operator(capitals);
	return strcmp(word, capitals) != 0 && found && strcmp(found, "NOT") != 0 ? found : NULL;
}

/* Returns the text with the operators written as here; NULL: it has none. The caller frees it. */
static char *otherwise_with_operators(
        const QueryParse *p, const char *(*find)(const char *), bool first)
{
	g_autofree char *outside = query_outside_phrases(p);
	g_auto(GStrv) words = g_strsplit(outside, " ", -1);
	bool found = false;
	g_autoptr(GString) meant = g_string_new(NULL);
	size_t at = 0;
	for (char **word = words; *word; at += strlen(*word++) + 1) {
		/* it joins something after it */
		const char *joins = word[1] && (first || word > words) ? find(*word) : NULL;
		found |= joins != NULL;
		g_string_append_printf(meant, "%s%.*s", word > words ? " " : "",
		        (int)strlen(joins ? joins : *word), joins ? joins : p->text + at);
	}
	return found ? g_strdup(meant->str) : NULL;
}

/* A title in capitals has such words. */
static bool otherwise_has_small_letters(const char *text)
{
	for (; *text; text = g_utf8_next_char(text))
		if (g_unichar_islower(g_utf8_get_char(text)))
			return true;
	return false;
}

void query_note_other_operators(QueryParse *p, const QueryNode *root)
{
	if (!p->notes || root->op == QUERY_WORDS || !otherwise_has_small_letters(p->text))
		return;
	g_autofree char *meant = otherwise_with_operators(p, otherwise_operator, true);
	if (meant)
		query_note(
		        p, _("The operators are AND, OR and NOT; to use them, write: %s"), meant);
}

char *query_with_operators(const Query *query)
{
	const QueryParse p = {.text = query->text, .length = strlen(query->text)};
	return query->root->op == QUERY_AND
	               ? otherwise_with_operators(&p, otherwise_small_operator, false)
	               : NULL;
}
