/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/ignore.h"
#include "common/base/text.h"
#include <string.h>

/* A name needs at most as many retries as it has bytes. Only a path made to waste time comes near
 * this limit. */
enum { MAX_RETRIES = 1 << 16 };

/* How a pattern is compared. The first two are by far the most frequent. */
typedef enum { BY_NAME, BY_SUFFIX, BY_NAME_PATTERN, BY_PATH_PATTERN } MatchKind;

typedef struct {
	char *pattern; /* BY_SUFFIX: the required end of the name */
	char *why;
	size_t length;
	MatchKind kind;
	bool negated, dir_only;
} IgnorePattern;

struct IgnoreList {
	GArray *patterns;
	bool needs_path;
};

static void pattern_clear(gpointer item)
{
	IgnorePattern *pattern = item;
	g_free(pattern->pattern);
	g_free(pattern->why);
}

IgnoreList *ignore_list_new(void)
{
	IgnoreList *list = g_new0(IgnoreList, 1);
	list->patterns = g_array_new(FALSE, FALSE, sizeof(IgnorePattern));
	g_array_set_clear_func(list->patterns, pattern_clear);
	return list;
}

void ignore_list_free(IgnoreList *list)
{
	if (!list)
		return;
	g_array_unref(list->patterns);
	g_free(list);
}

/* Is c in a class such as [:alpha:] of the "C" locale? */
static bool in_named_class(const char *name, size_t length, unsigned char c)
{
	static const struct {
		const char *name;
		GAsciiType type;
	} classes[] = {{"alnum", G_ASCII_ALNUM}, {"alpha", G_ASCII_ALPHA}, {"cntrl", G_ASCII_CNTRL},
	        {"digit", G_ASCII_DIGIT}, {"graph", G_ASCII_GRAPH}, {"lower", G_ASCII_LOWER},
	        {"print", G_ASCII_PRINT}, {"punct", G_ASCII_PUNCT}, {"space", G_ASCII_SPACE},
	        {"upper", G_ASCII_UPPER}, {"xdigit", G_ASCII_XDIGIT}};
	if (length == strlen("blank") && memcmp(name, "blank", length) == 0)
		return c == ' ' || c == '\t';
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		if (strlen(classes[i].name) == length && memcmp(classes[i].name, name, length) == 0)
			return g_ascii_table[c] & classes[i].type;
	}
	return false;
}

/* Reads one character of a class, perhaps after a backslash; NULL at the end of the pattern. */
static const char *class_char(const char *p, unsigned char *c_r)
{
	if (*p == '\\')
		p++;
	*c_r = *p;
	return *p ? p + 1 : NULL;
}

/* Reads one item of a class at p: a named class, a range or a character. Returns what follows, NULL
 * if it is malformed. */
static const char *class_item(const char *p, unsigned char c, bool *hit)
{
	unsigned char low, high;
	if (p[0] == '[' && p[1] == ':') {
		const char *end = strstr(p + 2, ":]");
		if (!end)
			return NULL;
		*hit = *hit || in_named_class(p + 2, end - p - 2, c);
		return end + 2;
	}
	p = class_char(p, &low);
	high = low;
	if (p && p[0] == '-' && p[1] != ']')
		p = class_char(p + 1, &high);
	*hit = *hit || (low <= c && c <= high);
	return p;
}

/* Matches a class that begins at p ("["). Returns what follows its "]"; NULL if there is none. */
static const char *match_class(const char *p, unsigned char c, bool *hit_r)
{
	bool negated = p[1] == '!' || p[1] == '^', hit = false;
	p += negated ? 2 : 1;
	const char *first = p;
	while (p && (p == first || *p != ']'))
		p = class_item(p, c, &hit);
	*hit_r = hit != negated && c != '/';
	return p ? p + 1 : NULL;
}

/* Matches one character of the text against the beginning of the pattern. Returns the rest of the
 * pattern, NULL if they differ. */
static const char *match_one(const char *p, unsigned char c)
{
	bool hit;
	switch (*p) {
	case '\0':
		return NULL;
	case '?':
		return c != '/' ? p + 1 : NULL;
	case '[':
		p = match_class(p, c, &hit);
		return hit ? p : NULL;
	case '\\':
		p++;
		break;
	}
	return (unsigned char)*p == c ? p + 1 : NULL;
}

/* Where matching continues after a mismatch: the pattern after a star, and the text that the star
 * has not consumed yet. */
typedef struct {
	const char *pattern, *text;
} Retry;

typedef struct {
	const char *pattern, *text;
	unsigned retries;
	Retry star; /* "*" in this component */
	Retry deep; /* "**" */
} Matcher;

/* Handles a "*" or "**" at m->pattern. True if the rest of the text certainly matches. */
static bool take_star(Matcher *m, const char *whole)
{
	const char *p = m->pattern;
	bool at_start = p == whole || p[-1] == '/';
	size_t stars = strspn(p, "*");
	const char *rest = p + stars;
	if (stars > 1 && at_start && *rest == '\0')
		return true;
	if (stars > 1 && at_start && *rest == '/') {
		m->pattern = rest + 1;
		m->deep = (Retry){m->pattern, m->text};
		m->star = (Retry){NULL};
		return false;
	}
	m->pattern = rest;
	m->star = (Retry){rest, m->text};
	return false;
}

/* After a mismatch: let the last star consume one more character, or the last "**" one more
 * component. Earlier stars need no second attempt: the slashes tie a component to its place, and a
 * later "**" can consume everything that an earlier one could. */
static bool ignore_retry(Matcher *m)
{
	if (++m->retries > MAX_RETRIES)
		return false;
	if (m->star.pattern && *m->star.text && *m->star.text != '/') {
		m->star.text++;
		m->pattern = m->star.pattern;
		m->text = m->star.text;
		return true;
	}
	const char *slash = m->deep.pattern ? strchr(m->deep.text, '/') : NULL;
	if (!slash)
		return false;
	m->deep.text = slash + 1;
	m->star = (Retry){NULL};
	m->pattern = m->deep.pattern;
	m->text = m->deep.text;
	return true;
}

bool ignore_pattern_matches(const char *pattern, const char *text)
{
	Matcher m = {pattern, text, 0, {NULL}, {NULL}};
	while (*m.text || *m.pattern) {
		if (*m.pattern == '*') {
			if (take_star(&m, pattern))
				return true;
			continue;
		}
		const char *next = *m.text ? match_one(m.pattern, *m.text) : NULL;
		if (next) {
			if (*m.text == '/')
				m.star = (Retry){NULL};
			m.pattern = next;
			m.text++;
		} else if (!ignore_retry(&m)) {
			return false;
		}
	}
	return true;
}

/* Is every class closed, and is every backslash followed by a character? */
static bool is_well_formed(const char *p)
{
	bool hit;
	while (p && *p) {
		if (*p == '[')
			p = match_class(p, 'x', &hit);
		else if (*p == '\\')
			p = p[1] ? p + 2 : NULL;
		else
			p++;
	}
	return p != NULL;
}

static MatchKind ignore_kind_of(const char *pattern)
{
	if (strchr(pattern, '/'))
		return BY_PATH_PATTERN;
	if (!strpbrk(pattern, "*?[\\"))
		return BY_NAME;
	if (pattern[0] == '*' && pattern[1] && !strpbrk(pattern + 1, "*?[\\"))
		return BY_SUFFIX;
	return BY_NAME_PATTERN;
}

/* Trailing spaces are ignored unless a backslash precedes them. */
static size_t trimmed_length(const char *line, size_t length)
{
	if (length > 0 && line[length - 1] == '\r')
		length--;
	while (length > 0 && line[length - 1] == ' ' && !(length > 1 && line[length - 2] == '\\'))
		length--;
	return length;
}

/* Fills item from the text of a pattern without its "!"; false if it can never match. */
static bool ignore_compile(IgnorePattern *item, char *text)
{
	size_t length = strlen(text);
	if (length > 1 && text[length - 1] == '/') {
		item->dir_only = true;
		text[length - 1] = '\0';
	}
	item->kind =
	        ignore_kind_of(text); /* must see the leading slash, which anchors the pattern */
	if (*text == '/')
		text++;
	if (*text == '\0' || !is_well_formed(text))
		return false;
	item->pattern = g_strdup(text + (item->kind == BY_SUFFIX));
	item->length = strlen(item->pattern);
	return true;
}

bool ignore_list_add(IgnoreList *list, const char *line, size_t length, const char *why)
{
	length = trimmed_length(line, length);
	if (length == 0 || *line == '#')
		return true;
	if (length > IGNORE_MAX_PATTERN_BYTES || list->patterns->len >= IGNORE_MAX_PATTERNS)
		return false;
	IgnorePattern item = {.negated = *line == '!'};
	g_autofree char *text = g_strndup(line + item.negated, length - item.negated);
	if (!ignore_compile(&item, text))
		return true;
	item.why = g_strdup(why);
	list->needs_path = list->needs_path || item.kind == BY_PATH_PATTERN;
	g_array_append_val(list->patterns, item);
	return true;
}

static bool add_numbered(
        IgnoreList *list, const char *line, size_t length, const char *shown, unsigned number)
{
	g_autofree char *pattern = text_to_utf8(line, trimmed_length(line, length));
	g_autofree char *why = g_strdup_printf("%s:%u: %s", shown, number, pattern);
	return ignore_list_add(list, line, length, why);
}

bool ignore_list_add_file(IgnoreList *list, const char *text, size_t length, const char *shown)
{
	const char *end = text + length;
	if (length >= 3 && memcmp(text, "\357\273\277", 3) == 0)
		text += 3;
	for (unsigned number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', end - text);
		size_t bytes = (newline ? newline : end) - text;
		if (!add_numbered(list, text, bytes, shown, number))
			return false;
		text += bytes + 1;
	}
	return true;
}

bool ignore_list_is_empty(const IgnoreList *list)
{
	return list->patterns->len == 0;
}

bool ignore_list_needs_path(const IgnoreList *list)
{
	return list->needs_path;
}

static bool pattern_hits(
        const IgnorePattern *item, const char *name, size_t length, const char *path)
{
	switch (item->kind) {
	case BY_NAME:
		return item->length == length && memcmp(item->pattern, name, length) == 0;
	case BY_SUFFIX:
		return length >= item->length &&
		       memcmp(name + length - item->length, item->pattern, item->length) == 0;
	case BY_NAME_PATTERN:
		return ignore_pattern_matches(item->pattern, name);
	case BY_PATH_PATTERN:
		return ignore_pattern_matches(item->pattern, path);
	}
	return false;
}

IgnoreVerdict ignore_list_match(
        const IgnoreList *list, const char *name, const char *path, bool is_dir, const char **why_r)
{
	size_t length = strlen(name);
	for (guint i = list->patterns->len; i > 0; i--) {
		const IgnorePattern *item = &g_array_index(list->patterns, IgnorePattern, i - 1);
		if ((item->dir_only && !is_dir) || !pattern_hits(item, name, length, path))
			continue;
		if (why_r)
			*why_r = item->why;
		return item->negated ? IGNORE_TAKEN_BACK : IGNORE_EXCLUDED;
	}
	return IGNORE_NO_MATCH;
}
