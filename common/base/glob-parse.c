/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/glob-parse.h"
#include <string.h>

typedef struct {
	GlobSyntax syntax;
	const char *whole, *at; /* the pattern, and what is left of it */
	GArray *states, *ranges;
	GlobState state; /* the one that is not complete yet */
} GlobParser;

static void glob_push_range(GlobParser *parser, uint32_t low, uint32_t high)
{
	GlobRange range = {low, high};
	if (low <= high) {
		g_array_append_val(parser->ranges, range);
		parser->state.n++;
	}
}

/* In gitignore, no class matches "/". */
static void glob_push_class_range(GlobParser *parser, uint32_t low, uint32_t high)
{
	if (parser->syntax == GLOB_GITIGNORE && low <= '/' && '/' <= high) {
		glob_push_range(parser, low, '/' - 1);
		low = '/' + 1;
	}
	glob_push_range(parser, low, high);
}

static void glob_push_state(GlobParser *parser)
{
	g_array_append_val(parser->states, parser->state);
	parser->state = (GlobState){.first = parser->ranges->len};
}

static void glob_invert(GlobParser *parser)
{
	parser->state.inverted = true;
	if (parser->syntax == GLOB_GITIGNORE)
		glob_push_range(parser, '/', '/');
}

static uint32_t glob_take(GlobParser *parser)
{
	if (parser->syntax == GLOB_GITIGNORE)
		return (unsigned char)*parser->at++;
	uint32_t c = g_utf8_get_char(parser->at);
	parser->at = g_utf8_next_char(parser->at);
	return c;
}

/* ---- classes */

typedef struct {
	const char *name;
	GAsciiType type; /* 0: blanks */
} NamedClass;

static const NamedClass *find_named_class(const char *name, size_t length)
{
	static const NamedClass classes[] = {{"alnum", G_ASCII_ALNUM}, {"alpha", G_ASCII_ALPHA},
	        {"cntrl", G_ASCII_CNTRL}, {"blank", 0}, {"digit", G_ASCII_DIGIT},
	        {"graph", G_ASCII_GRAPH}, {"lower", G_ASCII_LOWER}, {"print", G_ASCII_PRINT},
	        {"punct", G_ASCII_PUNCT}, {"space", G_ASCII_SPACE}, {"upper", G_ASCII_UPPER},
	        {"xdigit", G_ASCII_XDIGIT}};
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		if (strlen(classes[i].name) == length && memcmp(classes[i].name, name, length) == 0)
			return &classes[i];
	}
	return NULL;
}

static bool byte_is_of(const NamedClass *class, unsigned char c)
{
	return class->type ? g_ascii_table[c] & class->type : c == ' ' || c == '\t';
}

/* Pushes the bytes of the class, a range for those that follow each other. */
static void push_named_class(GlobParser *parser, const NamedClass *class)
{
	for (unsigned low = 0, end; low < 128; low = end + 1) {
		for (end = low; end < 128 && byte_is_of(class, end); end++)
			;
		if (end > low)
			glob_push_class_range(parser, low, end - 1);
	}
}

/* The end of the name in "[:alpha:]", where the pattern is; NULL: a "[" that stands for itself. */
static const char *named_class_end(const char *at)
{
	if (at[0] != '[' || at[1] != ':')
		return NULL;
	const char *bracket = strchr(at + 2, ']');
	return bracket && bracket > at + 2 && bracket[-1] == ':' ? bracket - 1 : NULL;
}

/* Reads "[:alpha:]". An unknown name is malformed, as in git. */
static bool parse_named_class(GlobParser *parser, const char *end)
{
	const char *name = parser->at + 2;
	const NamedClass *class = find_named_class(name, end - name);
	if (class)
		push_named_class(parser, class);
	parser->at = end + 2;
	return class != NULL;
}

/* Reads a literal character, perhaps after a backslash. */
static bool parse_one(GlobParser *parser, uint32_t *c_r)
{
	parser->at += parser->syntax == GLOB_GITIGNORE && *parser->at == '\\';
	if (!*parser->at)
		return false;
	*c_r = glob_take(parser);
	return true;
}

/* Reads a named class, a range or a character. The first character of a range always belongs to
 * it. */
static bool parse_gitignore_item(GlobParser *parser)
{
	uint32_t low, high;
	const char *end = named_class_end(parser->at);
	if (end)
		return parse_named_class(parser, end);
	if (!parse_one(parser, &low))
		return false;
	high = low;
	if (parser->at[0] == '-' && parser->at[1] != ']') {
		parser->at++;
		if (!parse_one(parser, &high))
			return false;
	}
	glob_push_class_range(parser, low, MAX(low, high));
	return true;
}

/* Reads a range or a character. The first character of a range always belongs to it. */
static bool parse_sqlite_item(GlobParser *parser, bool first)
{
	if (!*parser->at)
		return false;
	uint32_t low = glob_take(parser);
	glob_push_range(parser, low, low);
	bool bracket = first && low == ']';
	if (!bracket && parser->at[0] == '-' && parser->at[1] && parser->at[1] != ']') {
		parser->at++;
		glob_push_range(parser, low, glob_take(parser));
	}
	return true;
}

/* Reads a class, after its "[". */
static bool parse_class(GlobParser *parser)
{
	bool bytes = parser->syntax == GLOB_GITIGNORE, first = true;
	if (*parser->at == '^' || (bytes && *parser->at == '!')) {
		parser->at++;
		glob_invert(parser);
	}
	for (; first || *parser->at != ']'; first = false) {
		if (!(bytes ? parse_gitignore_item(parser) : parse_sqlite_item(parser, first)))
			return false;
	}
	parser->at++;
	return true;
}

/* ---- patterns */

/* Reads stars. The state in front of them stays; "**" and "/" become a state that stays as long as
 * it likes, leads on by a "/", and can be passed over. */
static void parse_stars(GlobParser *parser)
{
	bool bytes = parser->syntax == GLOB_GITIGNORE;
	bool at_start = parser->at == parser->whole || parser->at[-1] == '/';
	size_t stars = strspn(parser->at, "*");
	char next = parser->at[stars];
	bool deep = bytes && at_start && stars > 1 && (next == '/' || next == '\0');
	parser->at += stars;
	parser->state.stay = bytes && !deep ? GLOB_STAY_IN_COMPONENT : GLOB_STAY;
	if (!deep || next == '\0')
		return;
	GArray *states = parser->states;
	if (states->len > 0 && g_array_index(states, GlobState, states->len - 1).optional) {
		parser->state.stay = GLOB_LEAVE; /* repeated, which says nothing more */
	} else {
		parser->state.optional = true;
		glob_push_range(parser, '/', '/');
		glob_push_state(parser);
	}
	parser->at++;
}

/* Reads what matches one character. */
static bool parse_character(GlobParser *parser)
{
	uint32_t c;
	switch (*parser->at) {
	case '?':
		parser->at++;
		glob_invert(parser);
		return true;
	case '[':
		parser->at++;
		return parse_class(parser);
	}
	if (!parse_one(parser, &c))
		return false;
	glob_push_range(parser, c, c);
	return true;
}

bool glob_parse(const char *pattern, GlobSyntax syntax, GArray *states, GArray *ranges)
{
	guint old_states = states->len, old_ranges = ranges->len;
	GlobParser parser = {syntax, pattern, pattern, states, ranges, {.first = old_ranges}};
	while (*parser.at) {
		if (*parser.at == '*') {
			parse_stars(&parser);
		} else if (parse_character(&parser)) {
			glob_push_state(&parser);
		} else {
			g_array_set_size(states, old_states);
			g_array_set_size(ranges, old_ranges);
			return false;
		}
	}
	glob_push_state(&parser);
	return true;
}
