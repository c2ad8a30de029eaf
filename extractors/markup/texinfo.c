/* SPDX-License-Identifier: GPL-3.0-or-later */
/* texinfo.c - Texinfo (https://www.gnu.org/software/texinfo/manual/): headings, code, accents;
 * arguments of commands are text; menus, index entries and comments are noise or left out */
#include <config.h>
#include "extractors/markup/accent.h"
#include "common/base/text.h"
#include "extractors/markup/markup.h"
#include <string.h>

enum { NAME_BYTES = 32, LINK_BYTES = 2000 };

static const struct {
	const char *name;
	unsigned level;
} headings[] = {{"chapter", 1}, {"unnumbered", 1}, {"appendix", 1}, {"chapheading", 1},
        {"majorheading", 1}, {"section", 2}, {"unnumberedsec", 2}, {"appendixsec", 2},
        {"heading", 2}, {"subsection", 3}, {"unnumberedsubsec", 3}, {"appendixsubsec", 3},
        {"subheading", 3}, {"subsubsection", 4}, {"unnumberedsubsubsec", 4},
        {"appendixsubsubsec", 4}, {"subsubheading", 4}};

static const struct {
	const char *name;
	DocField field;
} facts[] = {{"settitle", FIELD_TITLE}, {"title", FIELD_TITLE}, {"author", FIELD_AUTHOR},
        {"documentlanguage", FIELD_LANGUAGE}};

static const char *const code[] = {
        "example", "smallexample", "lisp", "smalllisp", "verbatim", "display", "format", NULL};

/* Commands whose lines are not text. */
static const char *const silent[] = {"setfilename", "node", "include", "set", "clear", "ifset",
        "ifclear", "cindex", "findex", "kindex", "vindex", "pindex", "tindex", "syncodeindex",
        "synindex", "documentencoding", "paragraphindent", "setchapternewpage", "printindex",
        "anchor", "need", "sp", "finalout", "defindex", "macro", "alias", "c", "comment", NULL};

static const struct {
	const char *name, *text;
} characters[] = {{"ss", "\u00df"}, {"ae", "\u00e6"}, {"AE", "\u00c6"}, {"oe", "\u0153"},
        {"OE", "\u0152"}, {"aa", "\u00e5"}, {"AA", "\u00c5"}, {"o", "\u00f8"}, {"O", "\u00d8"},
        {"l", "\u0142"}, {"L", "\u0141"}, {"dots", "\u2026"}, {"copyright", "\u00a9"},
        {"TeX", "TeX"}, {"LaTeX", "LaTeX"}, {"minus", "-"}, {"bullet", "\u2022"}, {"tie", " "}};

typedef struct {
	Markup *m;
	const char *at, *end;
	MarkupGroups groups;
	bool apart; /* the next group stands apart */
} Rest;

static void texinfo_take_name(Rest *r, char name[NAME_BYTES])
{
	size_t n = 0;
	for (; r->at < r->end && g_ascii_isalpha(*r->at); r->at++)
		if (n + 1 < NAME_BYTES)
			name[n++] = *r->at;
	name[n] = '\0';
}

/* The letter that an accent applies to: "e", "{e}". */
static void texinfo_add_accented(Rest *r, GString *out, char sign)
{
	size_t brace = r->at < r->end && *r->at == '{';
	gunichar letter = r->at + brace < r->end ? g_utf8_get_char(r->at + brace) : 0;
	if (!g_unichar_isalpha(letter) || !accent_append(out, sign == ',' ? 'c' : sign, letter))
		return;
	r->at = g_utf8_next_char(r->at + brace);
	r->at += brace && r->at < r->end && *r->at == '}';
}

static void texinfo_keep_address(Markup *m, const char *address, size_t length, bool mail)
{
	g_autoptr(GString) plain = g_string_new(mail ? "mailto:" : NULL);
	for (size_t i = 0; i < length; i++) {
		bool escape = address[i] == '@' && i + 1 < length && strchr("@{}", address[i + 1]);
		i += escape;
		g_string_append_c(plain, address[i]);
	}
	markup_address(m, plain->str, plain->len);
}

/* "@uref{address, text}": readers see the last argument. */
static void texinfo_take_link(Rest *r, bool mail)
{
	const char *begin = r->at + 1;
	const char *close =
	        r->at < r->end ? memchr(r->at, '}', MIN(r->end - r->at, LINK_BYTES)) : NULL;
	const char *comma = close ? memrchr(r->at, ',', close - r->at) : NULL;
	if (!comma || *r->at != '{')
		return;
	for (r->at = comma + 1; r->at < close && g_ascii_isspace(*r->at);)
		r->at++;
	if (r->at == close)
		r->at = begin;
	else
		texinfo_keep_address(r->m, begin, strcspn(begin, ","), mail);
}

static void texinfo_add_command(Rest *r, GString *out)
{
	char name[NAME_BYTES];
	texinfo_take_name(r, name);
	r->apart = strcmp(name, "footnote") == 0 || strcmp(name, "anchor") == 0;
	if (r->apart)
		markup_add_gap(out);
	for (size_t i = 0; i < G_N_ELEMENTS(characters); i++)
		if (strcmp(name, characters[i].name) == 0) {
			g_string_append(out, characters[i].text);
			return;
		}
	char sign = !*name && r->at < r->end ? *r->at++ : 0;
	if (sign && strchr("`'^\"~=,", sign))
		texinfo_add_accented(r, out, sign);
	else if (sign && strchr("@{}", sign))
		g_string_append_c(out, sign);
	else if (sign == '*')
		g_string_append_c(out, '\n');
	else if (g_ascii_isspace(sign))
		g_string_append_c(out, ' ');
	else if (strcmp(name, "uref") == 0 || strcmp(name, "url") == 0 ||
	         strcmp(name, "email") == 0)
		texinfo_take_link(r, *name == 'e');
}

/* Adds a line or an argument without its commands and braces. */
static void texinfo_add_plain(Markup *m, GString *out, const char *text, size_t length)
{
	Rest r = {.m = m, .at = text, .end = text + length};
	while (r.at < r.end) {
		bool apart = r.apart;
		char c = *r.at++;
		r.apart = false;
		if (c == '@')
			texinfo_add_command(&r, out);
		else if (c == '{')
			groups_open(&r.groups, apart);
		else if (c == '}')
			groups_close(&r.groups, r.at < r.end ? *r.at : ' ', out);
		else
			g_string_append_c(out, c);
	}
}

static bool texinfo_take_heading(Markup *m, const char *name, const char *text, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(headings); i++) {
		if (strcmp(headings[i].name, name) != 0)
			continue;
		g_autoptr(GString) words = g_string_new(NULL);
		texinfo_add_plain(m, words, text, length);
		g_strstrip(words->str);
		markup_heading(m, headings[i].level, words->str, strlen(words->str));
		return true;
	}
	return false;
}

static bool texinfo_take_fact(Markup *m, const char *name, const char *text, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		if (strcmp(facts[i].name, name) != 0)
			continue;
		g_autoptr(GString) words = g_string_new(NULL);
		texinfo_add_plain(m, words, text, length);
		if (facts[i].field != FIELD_TITLE || !m->titled)
			markup_fact(m, facts[i].field, words->str, words->len);
		markup_add(m, words->str, words->len);
		markup_add(m, "\n", 1);
		return true;
	}
	return false;
}

/* Skips the lines up to "@end NAME". */
static void skip_block(Markup *m, const char *name)
{
	g_autofree char *close = g_strconcat("@end ", name, NULL);
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length))
		if (length >= strlen(close) && strncmp(line, close, strlen(close)) == 0)
			return;
}

/* Handles a line that is a command. False: it is text. */
static bool texinfo_take_line(Markup *m, const char *line, size_t length)
{
	char name[NAME_BYTES];
	Rest r = {.at = line + 1, .end = line + length};
	if (length < 2 || *line != '@')
		return false;
	texinfo_take_name(&r, name);
	if (*name == '\0' || (r.at < r.end && !g_ascii_isspace(*r.at)))
		return false;
	if (texinfo_take_heading(m, name, r.at, r.end - r.at) ||
	        texinfo_take_fact(m, name, r.at, r.end - r.at) || g_strv_contains(silent, name))
		return true;
	if (strcmp(name, "ignore") == 0 || strcmp(name, "menu") == 0)
		skip_block(m, name);
	else if (strcmp(name, "end") == 0)
		markup_flush(m, TAG_BODY);
	else if (g_strv_contains(code, name))
		markup_flush(m, TAG_CODE);
	else {
		texinfo_add_plain(m, m->block, r.at, r.end - r.at);
		markup_add(m, "\n", 1);
	}
	return true;
}

void texinfo_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		if (length > 0 && *line == '\\')
			continue;
		if (text_is_blank(line, length) && m->tag == TAG_BODY) {
			markup_flush(m, TAG_BODY);
		} else if (!texinfo_take_line(m, line, length)) {
			texinfo_add_plain(m, m->block, line, length);
			markup_add(m, "\n", 1);
		}
	}
}
