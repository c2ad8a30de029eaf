/* SPDX-License-Identifier: GPL-3.0-or-later */
/* latex.c - TeX and LaTeX: accents, headings, code; arguments of commands are text
 *
 * Macros of the author are expanded if they have no arguments. The preamble, comments and the names
 * of commands (each once) are noise and follow the text. Two arguments of a command are two words,
 * and so are a word and its note. */
#include <config.h>
#include "extractors/markup/accent.h"
#include "extractors/markup/markup.h"
#include <string.h>

enum {
	NAME_BYTES = 32,
	MAX_GROUP_BYTES = 4000, /* of an argument or an option; bounds the search for its end */
	MACRO_BYTES = 200, /* of a text that a macro stands for */
	MOST_MACROS = 1000,
	FORMULA_BYTES = 40,
	EXPANDED_BYTES = 1 << 20, /* most that macros may add to a document */
};

static const struct {
	const char *name, *text;
} characters[] = {{"ss", "\u00df"}, {"ae", "\u00e6"}, {"AE", "\u00c6"}, {"oe", "\u0153"},
        {"OE", "\u0152"}, {"aa", "\u00e5"}, {"AA", "\u00c5"}, {"o", "\u00f8"}, {"O", "\u00d8"},
        {"l", "\u0142"}, {"L", "\u0141"}, {"i", "i"}, {"j", "j"}, {"S", "\u00a7"}, {"P", "\u00b6"},
        {"copyright", "\u00a9"}, {"pounds", "\u00a3"}, {"euro", "\u20ac"}, {"texteuro", "\u20ac"},
        {"ldots", "\u2026"}, {"dots", "\u2026"}, {"textendash", "\u2013"}, {"textemdash", "\u2014"},
        {"textasciitilde", "~"}, {"textbackslash", "\\"}, {"textunderscore", "_"}, {"TeX", "TeX"},
        {"LaTeX", "LaTeX"}, {"par", "\n"}, {"newline", "\n"}, {"quad", " "}, {"qquad", " "},
        {"and", " "}};

/* Small letters of Greek; the first letter of a capital's name is a capital. */
static const struct {
	const char *name;
	uint16_t letter;
} greek[] = {{"alpha", 0x3b1}, {"beta", 0x3b2}, {"gamma", 0x3b3}, {"delta", 0x3b4},
        {"epsilon", 0x3b5}, {"varepsilon", 0x3b5}, {"zeta", 0x3b6}, {"eta", 0x3b7},
        {"theta", 0x3b8}, {"vartheta", 0x3b8}, {"iota", 0x3b9}, {"kappa", 0x3ba}, {"lambda", 0x3bb},
        {"mu", 0x3bc}, {"nu", 0x3bd}, {"xi", 0x3be}, {"pi", 0x3c0}, {"rho", 0x3c1},
        {"varrho", 0x3c1}, {"varsigma", 0x3c2}, {"sigma", 0x3c3}, {"tau", 0x3c4},
        {"upsilon", 0x3c5}, {"phi", 0x3c6}, {"varphi", 0x3c6}, {"chi", 0x3c7}, {"psi", 0x3c8},
        {"omega", 0x3c9}};
enum { GREEK_CAPITAL = 0x20 };

/* Heading commands with their levels, and commands whose argument is tagged. */
static const struct {
	const char *name;
	unsigned level;
} headings[] = {{"part", 1}, {"chapter", 1}, {"section", 1}, {"subsection", 2},
        {"subsubsection", 3}, {"paragraph", 4}, {"subparagraph", 5}, {"frametitle", 2}};

/* Commands whose argument is not text. */
static const char *const silent[] = {"documentclass", "usepackage", "RequirePackage", "pagestyle",
        "thispagestyle", "vspace", "hspace", "setlength", "addtolength", "setcounter",
        "bibliographystyle", "end"};

/* Beginnings of the names of commands whose argument is no part of the word before it. */
static const char *const separate[] = {"footnote", "thanks", "index", "label", "marginpar",
        "marginnote", "sidenote", "gls", "Gls", "hspace", "inst", "corref", "fnref", "fnmsep",
        "tnoteref", "orcid", "affil", "email"};

/* Environments with arguments that are not text, such as columns and widths. */
static const char *const laid_out[] = {"tabular", "tabular*", "tabularx", "tabulary", "longtable",
        "array", "minipage", "multicols", "wrapfigure", "wraptable", "thebibliography", "adjustbox",
        "subfigure", "subtable", NULL};

typedef struct {
	const char *p, *end;
	GString *out;
	MarkupGroups groups;
	bool apart; /* the next group stands apart */
	bool german; /* the preamble loads German */
	bool math;
	GHashTable *macros; /* name -> text; NULL: none */
	size_t expanded; /* bytes of texts of macros */
	GString *hidden; /* comments and hidden arguments; NULL: not kept */
	GHashTable *commands; /* set of command names; NULL if hidden is NULL */
} LatexReader;

/* ---- arguments */

static void skip_spaces(LatexReader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
		r->p++;
}

/* Takes "{...}" with nested groups and moves past it; false if there is none. */
static bool take_group(LatexReader *r, const char **text, size_t *length)
{
	skip_spaces(r);
	if (r->p >= r->end || *r->p != '{')
		return false;
	unsigned depth = 0;
	*text = r->p + 1;
	for (const char *p = r->p; p < r->end && p - r->p < MAX_GROUP_BYTES; p++) {
		if (*p == '\\' && p + 1 < r->end)
			p++;
		else if (*p == '{')
			depth++;
		else if (*p == '}' && --depth == 0) {
			*length = p - *text;
			r->p = p + 1;
			return true;
		}
	}
	return false;
}

static void latex_put_hidden(LatexReader *r, const char *text, size_t length)
{
	if (!r->hidden)
		return;
	g_string_append_len(r->hidden, text, length);
	g_string_append_c(r->hidden, '\n');
}

/* "[...]" */
static void skip_option(LatexReader *r)
{
	skip_spaces(r);
	if (r->p >= r->end || *r->p != '[')
		return;
	const char *close = memchr(r->p, ']', MIN(r->end - r->p, MAX_GROUP_BYTES));
	if (!close)
		return;
	latex_put_hidden(r, r->p + 1, close - r->p - 1);
	r->p = close + 1;
}

/* ---- text */

static void latex_add_character(LatexReader *r);

/* The letter that an accent applies to: "e", "{e}", "\i". */
static void latex_add_accented(LatexReader *r, char sign)
{
	const char *p = r->p;
	skip_spaces(r);
	bool group = r->p < r->end && *r->p == '{';
	r->p += group;
	if (r->p < r->end && *r->p == '\\')
		r->p++;
	gunichar letter = r->p < r->end ? g_utf8_get_char(r->p) : 0;
	if (!g_unichar_isalpha(letter) || !accent_append(r->out, sign, letter)) {
		r->p = p;
		return;
	}
	r->p = g_utf8_next_char(r->p);
	if (group && r->p < r->end && *r->p == '}')
		r->p++;
	else if (group)
		groups_open(&r->groups, false);
}

/* Reads a command name and the spaces after it. "" for a sign, which is not taken. */
static void latex_take_name(LatexReader *r, char name[NAME_BYTES])
{
	size_t n = 0;
	while (r->p < r->end && g_ascii_isalpha(*r->p)) {
		if (n + 1 < NAME_BYTES)
			name[n++] = *r->p;
		r->p++;
	}
	name[n] = '\0';
	if (n > 0)
		skip_spaces(r);
}

static void latex_turn_math(LatexReader *r, bool on)
{
	g_string_append_c(r->out, ' ');
	r->math = on;
}

static void add_sign(LatexReader *r)
{
	char sign = r->p < r->end ? *r->p++ : ' ';
	if (strchr("`'^\"~=.", sign))
		latex_add_accented(r, sign);
	else if (strchr("&%$#_{}", sign))
		g_string_append_c(r->out, sign);
	else if (sign == '\\')
		g_string_append_c(r->out, '\n');
	else if (strchr("()[]", sign))
		latex_turn_math(r, strchr("([", sign) != NULL);
	else if (sign != '-' && sign != '/')
		g_string_append_c(r->out, ' ');
}

static bool latex_add_greek(GString *out, const char *name)
{
	bool capital = g_ascii_isupper(*name);
	for (size_t i = 0; i < G_N_ELEMENTS(greek); i++)
		if (g_ascii_tolower(*name) == *greek[i].name &&
		        strcmp(name + 1, greek[i].name + 1) == 0) {
			g_string_append_unichar(
			        out, greek[i].letter - (capital ? GREEK_CAPITAL : 0));
			return true;
		}
	return false;
}

/* Marks of notes stand above the line: numbers, signs and single letters. */
static bool latex_is_mark(const LatexReader *r)
{
	return r->p + 2 < r->end && *r->p == '{' && !(g_ascii_isalpha(r->p[1]) && r->p[2] != '}');
}

static bool latex_is_apart(const LatexReader *r, const char *name)
{
	if (strcmp(name, "textsuperscript") == 0)
		return latex_is_mark(r);
	for (size_t i = 0; i < G_N_ELEMENTS(separate); i++)
		if (g_str_has_prefix(name, separate[i]))
			return true;
	return strstr(name, "cite") != NULL;
}

/* Skips the options and the arguments that are not text. */
static void latex_skip_arguments(LatexReader *r, const char *name)
{
	const char *text;
	size_t length;
	skip_option(r);
	/* the next argument is the text */
	if (strcmp(name, "href") == 0 && take_group(r, &text, &length))
		latex_put_hidden(r, text, length);
	for (size_t i = 0; i < G_N_ELEMENTS(silent); i++)
		if (strcmp(silent[i], name) == 0 && take_group(r, &text, &length))
			latex_put_hidden(r, text, length);
}

/* "\newcommand{\name}{text}", "\def\name{text}": keeps the text, and moves past nothing. */
static void latex_keep_macro(LatexReader *r, const char *command)
{
	static const char *const names[] = {
	        "newcommand", "renewcommand", "providecommand", "def", NULL};
	LatexReader ahead = {.p = r->p, .end = r->end};
	char name[NAME_BYTES];
	const char *text;
	size_t length;
	if (!r->macros || !g_strv_contains(names, command))
		return;
	while (ahead.p < ahead.end && strchr("*{", *ahead.p))
		ahead.p++;
	if (ahead.p >= ahead.end || *ahead.p != '\\')
		return;
	ahead.p++;
	latex_take_name(&ahead, name);
	ahead.p += ahead.p < ahead.end && *ahead.p == '}';
	if (*name && take_group(&ahead, &text, &length) && length <= MACRO_BYTES &&
	        g_hash_table_size(r->macros) < MOST_MACROS)
		g_hash_table_replace(r->macros, g_strdup(name), g_strndup(text, length));
}

/* Adds the text of a macro; those that it names are not expanded. */
static bool latex_add_macro(LatexReader *r, const char *name)
{
	const char *text = r->macros ? g_hash_table_lookup(r->macros, name) : NULL;
	size_t length = text ? strlen(text) : 0;
	if (!text || r->expanded + length > EXPANDED_BYTES)
		return false;
	r->expanded += length;
	LatexReader inner = {.p = text,
	        .end = text + length,
	        .out = r->out,
	        .german = r->german,
	        .math = r->math};
	while (inner.p < inner.end)
		latex_add_character(&inner);
	/* Many macros end with \xspace. */
	if (r->p < r->end && r->p[-1] == ' ' && g_ascii_isalnum(*r->p))
		markup_add_gap(r->out);
	return true;
}

/* Handles a command in running text; its name was read. */
static void latex_add_command(LatexReader *r, const char *name)
{
	r->apart = false;
	if (!*name) {
		add_sign(r);
		return;
	}
	if (!name[1] && strchr("uvHcdbrk", name[0])) {
		latex_add_accented(r, name[0]);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(characters); i++) {
		if (strcmp(characters[i].name, name) == 0) {
			g_string_append(r->out, characters[i].text);
			return;
		}
	}
	if (latex_add_greek(r->out, name) || latex_add_macro(r, name))
		return;
	r->apart = latex_is_apart(r, name);
	if (r->apart)
		markup_add_gap(r->out);
	latex_skip_arguments(r, name);
}

static bool ends_with_letter(const GString *out)
{
	const char *last = g_utf8_find_prev_char(out->str, out->str + out->len);
	return last && g_unichar_isalpha(g_utf8_get_char(last));
}

/* German writes "a for an umlaut, "s for the sharp s, and "-, "|, "= and others where a word may be
 * divided. Without a preamble, as in a chapter of a book, they are told by a letter on either
 * side. */
static bool latex_add_shorthand(LatexReader *r)
{
	char next = r->p < r->end ? *r->p : ' ', after = r->p + 1 < r->end ? r->p[1] : ' ';
	bool inside = ends_with_letter(r->out);
	if (next == '\0')
		return false;
	if (strchr("aouAOU", next) && (inside || r->german))
		accent_append(r->out, '"', next);
	else if (strchr("sz", next) && inside && (r->german || g_ascii_isalpha(after)))
		g_string_append(r->out, "\u00df");
	else if (strchr("=~", next) && inside && r->german)
		g_string_append_c(r->out, '-');
	else if (!strchr("-|\"", next) || !inside || !r->german)
		return false;
	r->p++;
	return true;
}

/* Ends a group. The next one is another argument, not the same word. */
static void latex_close_group(LatexReader *r)
{
	char next = r->p < r->end ? *r->p : ' ';
	groups_close(&r->groups, next, r->out);
	if (next == '{')
		markup_add_gap(r->out);
}

static void latex_skip_comment(LatexReader *r)
{
	const char *newline = memchr(r->p, '\n', r->end - r->p), *end = newline ? newline : r->end;
	latex_put_hidden(r, r->p, end - r->p);
	r->p = newline ? newline + 1 : end;
}

/* Is it the end of a word that begins with a capital? "CO", "C6H". */
static bool ends_with_formula(const GString *out)
{
	size_t at = out->len, first = at > FORMULA_BYTES ? at - FORMULA_BYTES : 0;
	while (at > first && g_ascii_isalnum(out->str[at - 1]))
		at--;
	return at < out->len && g_ascii_isupper(out->str[at]);
}

/* "_2", "_{2}" */
static bool latex_is_index(const LatexReader *r, const char *sign)
{
	const char *at = sign + 1;
	if (sign >= r->end || *sign != '_')
		return false;
	at += at < r->end && *at == '{';
	return at < r->end && g_ascii_isdigit(*at);
}

/* "{th}" after a number */
static bool latex_is_ordinal(const LatexReader *r)
{
	char last = r->out->len > 0 ? r->out->str[r->out->len - 1] : ' ';
	return r->end - r->p > 5 && r->p[0] == '^' && r->p[1] == '{' && g_ascii_islower(r->p[2]) &&
	       g_ascii_islower(r->p[3]) && r->p[4] == '}' && g_ascii_isdigit(last);
}

/* "$\mu$m": adds the letter, which belongs to the word. */
static bool latex_add_unit(LatexReader *r)
{
	LatexReader ahead = {.p = r->p + 1, .end = r->end};
	char name[NAME_BYTES];
	if (r->p >= r->end || *r->p != '\\')
		return false;
	latex_take_name(&ahead, name);
	if (r->end - ahead.p < 2 || *ahead.p != '$' || !g_ascii_isalpha(ahead.p[1]) ||
	        !latex_add_greek(r->out, name))
		return false;
	r->p = ahead.p + 1;
	return true;
}

/* "$": formulas stand apart from words, but "CO$_2$" and "10$^{th}$" are words. */
static void latex_add_dollar(LatexReader *r)
{
	bool joins = !r->math && ((latex_is_index(r, r->p) && ends_with_formula(r->out)) ||
	                                 latex_is_ordinal(r));
	if (!r->math && latex_add_unit(r))
		return;
	if (!joins) {
		latex_turn_math(r, !r->math);
		return;
	}
	const char *end = r->p + 1;
	if (*end == '{')
		end++;
	const char *from = end;
	while (end < r->end && g_ascii_isalnum(*end))
		end++;
	g_string_append_len(r->out, from, end - from);
	end += end < r->end && *end == '}';
	r->math = end >= r->end || *end != '$';
	r->p = end + (end < r->end && *end == '$');
}

static void latex_add_character(LatexReader *r)
{
	char name[NAME_BYTES], c = *r->p++;
	bool apart = r->apart;
	r->apart = false;
	switch (c) {
	case '\\':
		latex_take_name(r, name);
		latex_add_command(r, name);
		break;
	case '%':
		latex_skip_comment(r);
		break;
	case '{':
		groups_open(&r->groups, apart);
		break;
	case '}':
		latex_close_group(r);
		break;
	case '$':
		latex_add_dollar(r);
		break;
	case '_':
		if (!r->math || !latex_is_index(r, r->p - 1) || !ends_with_formula(r->out))
			g_string_append_c(r->out, c);
		break;
	case '&':
	case '~':
		g_string_append_c(r->out, ' ');
		break;
	case '"':
		if (!latex_add_shorthand(r))
			g_string_append_c(r->out, c);
		break;
	default:
		g_string_append_c(r->out, c);
	}
}

static void latex_add_all(LatexReader *r)
{
	while (r->p < r->end)
		latex_add_character(r);
}

void latex_add_plain(GString *out, const char *text, size_t length)
{
	LatexReader r = {.p = text, .end = text + length, .out = out};
	latex_add_all(&r);
}

/* Returns the text of a group. The caller frees it. */
static char *latex_plain(const LatexReader *outer, const char *text, size_t length)
{
	GString *out = g_string_new(NULL);
	LatexReader r = {.p = text,
	        .end = text + length,
	        .out = out,
	        .german = outer->german,
	        .macros = outer->macros,
	        .expanded = outer->expanded};
	latex_add_all(&r);
	g_strdelimit(out->str, "\n\t", ' ');
	return g_string_free(out, FALSE);
}

/* ---- structure */

static bool latex_take_heading(Markup *m, LatexReader *r, const char *name)
{
	const char *text;
	size_t length, i = 0;
	while (i < G_N_ELEMENTS(headings) && strcmp(headings[i].name, name) != 0)
		i++;
	if (i == G_N_ELEMENTS(headings))
		return false;
	if (r->p < r->end && *r->p == '*')
		r->p++;
	skip_option(r);
	if (!take_group(r, &text, &length))
		return false;
	g_autofree char *words = latex_plain(r, text, length);
	markup_heading(m, headings[i].level, words, strlen(words));
	return true;
}

static bool latex_take_fact(Markup *m, LatexReader *r, const char *name)
{
	const char *text;
	size_t length;
	bool title = strcmp(name, "title") == 0;
	if (!title && strcmp(name, "author") != 0)
		return false;
	skip_option(r);
	if (!take_group(r, &text, &length))
		return false;
	g_autofree char *words = latex_plain(r, text, length);
	markup_fact(m, title ? FIELD_TITLE : FIELD_AUTHOR, words, strlen(words));
	markup_add(m, words, strlen(words));
	markup_add(m, "\n", 1);
	return true;
}

/* Reads verbatim text up to the end of its environment. */
static void take_code(Markup *m, LatexReader *r, const char *environment)
{
	g_autofree char *close = g_strdup_printf("\\end{%s}", environment);
	const char *end = memmem(r->p, r->end - r->p, close, strlen(close));
	const char *stop = end ? end : r->end;
	markup_flush(m, TAG_CODE);
	if (strcmp(environment, "comment") != 0)
		markup_add(m, r->p, stop - r->p);
	markup_flush(m, TAG_BODY);
	r->p = end ? end + strlen(close) : r->end;
}

/* Hides the arguments up to the first other sign. */
static void latex_hide_arguments(LatexReader *r)
{
	const char *text, *at = NULL;
	size_t length;
	while (r->p != at && r->p < r->end && (*r->p == '[' || *r->p == '{')) {
		at = r->p;
		skip_option(r);
		if (*at == '{' && take_group(r, &text, &length))
			latex_put_hidden(r, text, length);
	}
}

static bool latex_take_environment(Markup *m, LatexReader *r, const char *name)
{
	const char *text;
	size_t length;
	if (strcmp(name, "begin") != 0 || !take_group(r, &text, &length))
		return false;
	g_autofree char *environment = g_strndup(text, length);
	latex_put_hidden(r, text, length);
	static const char *const code[] = {
	        "verbatim", "lstlisting", "minted", "alltt", "comment", NULL};
	if (g_strv_contains(code, environment))
		take_code(m, r, environment);
	else
		markup_flush(m, TAG_BODY);
	if (g_strv_contains(laid_out, environment))
		latex_hide_arguments(r);
	r->apart = true;
	return true;
}

static void latex_take_command(Markup *m, LatexReader *r)
{
	char name[NAME_BYTES];
	r->p++;
	latex_take_name(r, name);
	if (name[0] && name[1])
		g_hash_table_add(r->commands, g_strdup(name));
	if (latex_take_heading(m, r, name) || latex_take_fact(m, r, name) ||
	        latex_take_environment(m, r, name))
		return;
	if (strcmp(name, "item") == 0)
		markup_flush(m, m->tag);
	latex_keep_macro(r, name);
	latex_add_command(r, name);
}

static void latex_put_commands(Markup *m, LatexReader *r)
{
	markup_flush(m, TAG_NOISE);
	markup_add(m, r->hidden->str, r->hidden->len);
	g_autoptr(GList) names =
	        g_list_sort(g_hash_table_get_keys(r->commands), (GCompareFunc)strcmp);
	for (GList *at = names; at; at = at->next) {
		markup_add(m, at->data, strlen(at->data));
		markup_add(m, "\n", 1);
	}
}

void latex_read(Markup *m)
{
	LatexReader r = {.p = m->at,
	        .end = m->end,
	        .out = m->block,
	        .hidden = g_string_new(NULL),
	        .commands = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	        .macros = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
	const char *body = memmem(r.p, r.end - r.p, "\\begin{document}", 16);
	r.german = body && memmem(r.p, body - r.p, "german", 6);
	if (body)
		m->tag = TAG_NOISE;
	while (r.p < r.end && !m->full) {
		bool blank = r.p[0] == '\n' && r.p + 1 < r.end && r.p[1] == '\n';
		if (*r.p == '\\')
			latex_take_command(m, &r);
		else
			latex_add_character(&r);
		if (blank)
			markup_flush(m, m->tag);
	}
	m->at = r.p;
	latex_put_commands(m, &r);
	g_string_free(r.hidden, TRUE);
	g_hash_table_unref(r.commands);
	g_hash_table_unref(r.macros);
}
