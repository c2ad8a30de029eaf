/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.c - manual pages: the macros of man(7) and mdoc(7), the escapes of groff(7)
 *
 * Nothing is interpreted: requests that define, test or measure are skipped. */
#include <config.h>
#include "extractors/markup/accent.h"
#include "common/base/text.h"
#include "extractors/markup/markup.h"
#include <string.h>

enum {
	MAX_ARGUMENTS = 32,
	NAME_BYTES = 80,
	MAX_ESCAPE_BYTES = 4000, /* bounds the search for the end of a name */
};

typedef struct {
	Markup *m;
	char name[NAME_BYTES]; /* mdoc: the name that a bare "Nm" means */
	unsigned heading; /* level of a heading whose text is in the next line */
	bool skipping; /* in a definition, up to ".." or "." and this name */
	char end[NAME_BYTES];
} RoffReader;

/* ---- escapes */

static const struct {
	const char *name, *text;
} characters[] = {{"aq", "'"}, {"dq", "\""}, {"lq", "\u201c"}, {"rq", "\u201d"}, {"oq", "\u2018"},
        {"cq", "\u2019"}, {"em", "\u2014"}, {"en", "\u2013"}, {"hy", "-"}, {"mi", "-"},
        {"bu", "\u2022"}, {"co", "\u00a9"}, {"rg", "\u00ae"}, {"tm", "\u2122"}, {"ss", "\u00df"},
        {"ae", "\u00e6"}, {"AE", "\u00c6"}, {"oe", "\u0153"}, {"OE", "\u0152"}, {"/o", "\u00f8"},
        {"/O", "\u00d8"}, {"/l", "\u0142"}, {"/L", "\u0141"}, {"oa", "\u00e5"}, {"oA", "\u00c5"},
        {"ti", "~"}, {"ha", "^"}, {"ga", "`"}, {"at", "@"}, {"sh", "#"}, {"Do", "$"}, {"rs", "\\"},
        {"sl", "/"}, {"ba", "|"}, {"lB", "["}, {"rB", "]"}, {"lC", "{"}, {"rC", "}"}, {"la", "<"},
        {"ra", ">"}, {"mu", "\u00d7"}, {"de", "\u00b0"}, {"<=", "\u2264"}, {">=", "\u2265"},
        {"Aq", "'"}, {"Eu", "\u20ac"}, {"ff", "ff"}, {"fi", "fi"}, {"fl", "fl"}, {"Fi", "ffi"},
        {"Fl", "ffl"}, {"mc", "\u00b5"}, {"ts", "\u03c2"}, {"-D", "\u00d0"}, {"Sd", "\u00f0"},
        {"TP", "\u00de"}, {"Tp", "\u00fe"}};

/* "*a": the Greek letter that stands for this one. False: it is not of this form. */
static bool greek_append(GString *out, const char *name, size_t length)
{
	static const char latin[] = "abgdezyhiklmncoprstufxqw";
	static const char *const greek = "αβγδεζηθικλμνξοπρστυφχψω";
	if (length != 2 || name[0] != '*' || !g_ascii_isalpha(name[1]))
		return false;
	const char *at = strchr(latin, g_ascii_tolower(name[1]));
	if (!at)
		return false;
	gunichar c = g_utf8_get_char(g_utf8_offset_to_pointer(greek, at - latin));
	g_string_append_unichar(out, g_ascii_isupper(name[1]) ? g_unichar_toupper(c) : c);
	return true;
}

static void roff_add_character(GString *out, const char *name, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(characters); i++) {
		if (strlen(characters[i].name) == length &&
		        memcmp(characters[i].name, name, length) == 0) {
			g_string_append(out, characters[i].text);
			return;
		}
	}
	if (greek_append(out, name, length))
		return;
	if (length == 2 && g_ascii_isalpha(name[1]) && accent_append(out, name[0], name[1]))
		return;
	g_autofree char *copy = g_strndup(name, length);
	gunichar c = length > 4 && name[0] == 'u' ? g_ascii_strtoull(copy + 1, NULL, 16) : 0;
	if (c >= 0x20 && g_unichar_validate(c))
		g_string_append_unichar(out, c);
}

/* A name in an escape, "x", "(xx" or "[xxx]"; returns its whole length. */
static size_t name_at(const char *p, size_t length, const char **name, size_t *name_length)
{
	const char *end =
	        length > 0 && *p == '[' ? memchr(p, ']', MIN(length, MAX_ESCAPE_BYTES)) : NULL;
	size_t skip = length > 0 && (*p == '(' || end) ? 1 : 0;
	*name = p + skip;
	*name_length = end ? (size_t)(end - p - 1) : skip ? MIN(2, length - 1) : MIN(1, length);
	return skip + *name_length + (end ? 1 : 0);
}

/* A groff string may have arguments, "[name one \"two words\"]". Their use is unknown, so they are
 * added as words. */
static void add_string(GString *out, const char *name, size_t length)
{
	const char *space = memchr(name, ' ', length);
	if (!space) {
		roff_add_character(out, name, length);
		return;
	}
	for (const char *p = space + 1; p < name + length; p++)
		if (*p != '"')
			g_string_append_c(out, *p);
}

/* Handles the text after a backslash; returns how many bytes were taken. */
static size_t roff_add_escape(GString *out, const char *p, size_t length)
{
	const char *name;
	size_t name_length, n;
	if (length == 0)
		return 0;
	switch (*p) {
	case '(':
	case '[':
		n = name_at(p, length, &name, &name_length);
		roff_add_character(out, name, name_length);
		return n;
	case '*':
		n = name_at(p + 1, length - 1, &name, &name_length);
		add_string(out, name, name_length);
		return 1 + n;
	case 'f':
	case 'F':
	case 'm':
	case 'M':
	case 'n':
	case 'g':
	case 'k':
		return 1 + name_at(p + 1, length - 1, &name, &name_length);
	case 's':
		n = 1 + (length > 1 && (p[1] == '+' || p[1] == '-'));
		return n + name_at(p + n, length - n, &name, &name_length);
	case '"':
		return length;
	case '-':
		g_string_append_c(out, '-');
		return 1;
	case 'e':
	case '\\':
		g_string_append_c(out, '\\');
		return 1;
	case ' ':
	case '~':
	case '0':
	case 't':
		g_string_append_c(out, ' ');
		return 1;
	default:
		break;
	}
	if (strchr("vhwlLoDxzbNABCRXYZ", *p) && length > 2 && p[1] == '\'') {
		const char *end = memchr(p + 2, '\'', length - 2);
		return end ? (size_t)(end - p) + 1 : length;
	}
	if (*p == '.' || *p == '\'' || *p == '`')
		g_string_append_c(out, *p);
	return 1;
}

static void roff_add_plain(GString *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		if (text[i] == '\\') {
			i += 1 + roff_add_escape(out, text + i + 1, length - i - 1);
		} else {
			g_string_append_c(out, text[i++]);
		}
	}
}

/* ---- requests */

/* Splits quoted or single words and resolves their escapes. The array owns the words. */
static GPtrArray *roff_arguments_of(const char *text, size_t length)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	for (size_t i = 0; i < length && list->len < MAX_ARGUMENTS;) {
		while (i < length && g_ascii_isspace(text[i]))
			i++;
		if (i == length)
			break;
		bool quoted = text[i] == '"';
		size_t from = i += quoted;
		while (i < length && (quoted ? text[i] != '"' : !g_ascii_isspace(text[i])))
			i += text[i] == '\\' && i + 1 < length ? 2 : 1;
		GString *word = g_string_new(NULL);
		roff_add_plain(word, text + from, MIN(i, length) - from);
		g_ptr_array_add(list, g_string_free(word, FALSE));
		i += quoted;
	}
	return list;
}

static bool is_one_of(const char *name, const char *names)
{
	char wanted[8];
	g_snprintf(wanted, sizeof wanted, " %s ", name);
	return strstr(names, wanted) != NULL;
}

static const char *roff_argument(const GPtrArray *list, guint i)
{
	return i < list->len ? list->pdata[i] : "";
}

static void roff_add_words(RoffReader *r, const GPtrArray *list, const char *between)
{
	for (guint i = 0; i < list->len; i++) {
		const char *word = list->pdata[i];
		markup_add(r->m, word, strlen(word));
		if (i + 1 < list->len)
			markup_add(r->m, between, strlen(between));
	}
	markup_add(r->m, "\n", 1);
}

/* mdoc allows macros among the arguments of a macro. */
static void add_mdoc(RoffReader *r, const char *macro, const GPtrArray *list)
{
	static const char callable[] = " Ad An Ao Ac Aq Ar At Bo Bc Bq Bx Brq Cd Cm Do Dc Dq Dv Em "
	                               "Eo Ec Er Ev Fa Fl Fn Ft Ic "
	                               "In Li Lk Ms Mt Nd Nm No Ns Oo Oc Op Ox Pa Pf Po Pc Pq Ql "
	                               "Qo Qc Qq Rv So Sc Sq St Sx Sy "
	                               "Ta Tn Ux Va Vt Xo Xc Xr Ap Fx Nx ";
	if (strcmp(macro, "Fl") == 0)
		markup_add(r->m, "-", 1);
	if (strcmp(macro, "Nm") == 0 && list->len == 0)
		markup_add(r->m, r->name, strlen(r->name));
	for (guint i = 0; i < list->len; i++) {
		const char *word = list->pdata[i];
		if (strcmp(word, "Fl") == 0)
			markup_add(r->m, "-", 1);
		if (is_one_of(word, callable))
			continue;
		markup_add(r->m, word, strlen(word));
		markup_add(r->m, " ", 1);
	}
	markup_add(r->m, "\n", 1);
}

/* "LS 1" */
static void roff_put_title(RoffReader *r, const GPtrArray *list)
{
	const char *section = roff_argument(list, 1);
	g_autofree char *title =
	        *section ? g_strdup_printf("%s(%s)", roff_argument(list, 0), section)
	                 : g_strdup(roff_argument(list, 0));
	markup_fact(r->m, FIELD_TITLE, title, strlen(title));
	/* date, program and manual are printed in the margins of each page */
	markup_flush(r->m, TAG_NOISE);
	for (guint i = 2; i < list->len; i++) {
		const char *words = roff_argument(list, i);
		markup_add(r->m, words, strlen(words));
		markup_add(r->m, "\n", 1);
	}
	markup_flush(r->m, TAG_BODY);
}

static void roff_put_heading(RoffReader *r, unsigned level, const GPtrArray *list)
{
	g_autoptr(GString) words = g_string_new(NULL);
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(words, i > 0 ? " %s" : "%s", roff_argument(list, i));
	if (words->len > 0)
		markup_heading(r->m, level, words->str, words->len);
	else
		r->heading = level;
}

static void take_request(RoffReader *r, const char *macro, const GPtrArray *list)
{
	static const char
	        joined[] = " BR BI IB IR RB RI ",
	        spaced[] = " B I R SM SB UR MT CB CW ",
	        breaks[] = " PP P LP Pp TP TQ HP RS RE br sp bp nf fi Bl El Bd Ed EX EE SY YS ";
	if (strcmp(macro, "TH") == 0 || strcmp(macro, "Dt") == 0) {
		roff_put_title(r, list);
	} else if (is_one_of(macro, " SH Sh ")) {
		roff_put_heading(r, 1, list);
	} else if (is_one_of(macro, " SS Ss ")) {
		roff_put_heading(r, 2, list);
	} else if (is_one_of(macro, breaks)) {
		markup_flush(r->m, TAG_BODY);
	} else if (strcmp(macro, "IP") == 0) {
		markup_flush(r->m, TAG_BODY);
		if (list->len > 0)
			markup_add(r->m, roff_argument(list, 0), strlen(roff_argument(list, 0)));
		markup_add(r->m, "\n", 1);
	} else if (is_one_of(macro, joined)) {
		roff_add_words(r, list, "");
	} else if (is_one_of(macro, spaced)) {
		roff_add_words(r, list, " ");
	} else if (is_one_of(macro, " de ig am ")) {
		r->skipping = true;
		g_strlcpy(r->end, roff_argument(list, *macro == 'i' ? 0 : 1), sizeof r->end);
	} else if (g_ascii_isupper(macro[0]) && g_ascii_islower(macro[1]) && !macro[2] &&
	           !is_one_of(macro, " Dd Os Bk Ek Sm ")) {
		if (strcmp(macro, "It") == 0)
			markup_flush(r->m, TAG_BODY);
		if (strcmp(macro, "Nm") == 0 && !*r->name)
			g_strlcpy(r->name, roff_argument(list, 0), sizeof r->name);
		add_mdoc(r, macro, list);
	}
}

static void read_request(RoffReader *r, const char *line, size_t length)
{
	char macro[4] = "";
	size_t i = 1, n = 0;
	while (i < length && g_ascii_isspace(line[i]))
		i++;
	while (i < length && n < sizeof macro - 1 && g_ascii_isalnum(line[i]))
		macro[n++] = line[i++];
	macro[n] = '\0';
	if (n == 0 || (i < length && !g_ascii_isspace(line[i])))
		return;
	g_autoptr(GPtrArray) list = roff_arguments_of(line + i, length - i);
	take_request(r, macro, list);
}

/* The two dots may have spaces between them, which is how nested definitions are indented. */
static bool ends_definition(const RoffReader *r, const char *line, size_t length)
{
	const char *end = *r->end ? r->end : ".";
	size_t i = 1, n = strlen(end);
	if (length < 2 || (*line != '.' && *line != '\''))
		return false;
	while (i < length && g_ascii_isspace(line[i]))
		i++;
	return length - i >= n && memcmp(line + i, end, n) == 0 &&
	       (length - i == n || !g_ascii_isalnum(line[i + n]));
}

void roff_read(Markup *m)
{
	RoffReader reader = {.m = m};
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		if (reader.skipping) {
			reader.skipping = !ends_definition(&reader, line, length);
		} else if (length > 0 && (*line == '.' || *line == '\'')) {
			read_request(&reader, line, length);
		} else if (text_is_blank(line, length)) {
			markup_flush(m, TAG_BODY);
		} else if (reader.heading) {
			g_autoptr(GString) words = g_string_new(NULL);
			roff_add_plain(words, line, length);
			markup_heading(m, reader.heading, words->str, words->len);
			reader.heading = 0;
		} else {
			roff_add_plain(m->block, line, length);
			markup_add(m, "\n", 1);
		}
	}
}
