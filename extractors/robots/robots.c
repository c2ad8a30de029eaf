/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robots.c - the file robots.txt of a site: groups of agents with their rules
 *
 * Source: RFC 9309, and for lines with mistakes the behaviour of Google's open parser. A group is
 * known by its number, from 0: agents, rules and delays name it, so that what is sent grows with
 * the file and not with agents times rules. A delay is for the agents right above it, and does not
 * end their group, so it has a group of its own, which names them once more. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <string.h>

enum {
	FILE_BYTES = 500 << 10, /* what is read of the file */
	LINE_BYTES = 2083 * 8 - 1, /* what is read of a line */
	MAX_DELAY = 1000000, /* seconds */
	/* Links that are sent at most: a rule may make two. */
	SENT_LINKS = DOC_MAX_LINKS - 2,
};

typedef struct {
	Sink *sink;
	char *group; /* number of the group as text, NULL before the first agent */
	unsigned groups;
	bool rules_seen; /* the group has a rule: the next agent begins another one */
	GPtrArray *agents; /* those that the next delay is for */
	bool agents_ended; /* a rule or a delay came after them */
	char *delay_group; /* the number of theirs, NULL: they have no delay yet */
	unsigned sent;
} Robots;

typedef enum { KEY_OTHER, KEY_AGENT, KEY_ALLOW, KEY_DISALLOW, KEY_SITEMAP, KEY_DELAY } RobotsKey;

/* Keys, by their beginnings, with the misspellings that are frequent. */
static const struct {
	const char *text;
	RobotsKey key;
} robots_keys[] = {
        {"user-agent", KEY_AGENT},
        {"useragent", KEY_AGENT},
        {"user agent", KEY_AGENT},
        {"allow", KEY_ALLOW},
        {"disallow", KEY_DISALLOW},
        {"dissallow", KEY_DISALLOW},
        {"dissalow", KEY_DISALLOW},
        {"disalow", KEY_DISALLOW},
        {"diasllow", KEY_DISALLOW},
        {"disallaw", KEY_DISALLOW},
        {"sitemap", KEY_SITEMAP},
        {"site-map", KEY_SITEMAP},
        {"crawl-delay", KEY_DELAY},
        {"crawldelay", KEY_DELAY},
};

static RobotsKey robots_key(const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(robots_keys); i++) {
		if (g_ascii_strncasecmp(text, robots_keys[i].text, strlen(robots_keys[i].text)) ==
		        0)
			return robots_keys[i].key;
	}
	return KEY_OTHER;
}

/* Cuts the line into key and value. Without a colon, white space separates exactly two words. */
static bool robots_split(char *line, char **value_r)
{
	char *end = strchr(line, '#');
	char *separator;

	if (end)
		*end = 0;
	g_strstrip(line);
	separator = strchr(line, ':');
	if (!separator) {
		separator = strpbrk(line, " \t");
		if (!separator || strpbrk(separator + strspn(separator, " \t"), " \t"))
			return false;
	}
	*separator = 0;
	*value_r = g_strstrip(separator + 1);
	g_strstrip(line);
	return *line;
}

static void robots_send(Robots *robots, DocLinkKind kind, const char *href, const char *text)
{
	if (robots->sent >= SENT_LINKS)
		return;
	sink_link_kind(robots->sink, kind, 0, href, text);
	if (++robots->sent == SENT_LINKS)
		sink_truncated(robots->sink, REASON_LIMIT_TEXT, NULL);
}

#define TOKEN_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"

static void robots_token(Robots *robots, const char *value, size_t length)
{
	if (length == 0)
		return;
	char *token = g_ascii_strdown(value, length);
	robots_send(robots, LINK_AGENT, token, robots->group);
	g_ptr_array_add(robots->agents, token);
}

static char *robots_new_group(Robots *robots)
{
	return g_strdup_printf("%u", robots->groups++);
}

/* The name up to the first character that no product token has, and the same with digits, which
 * product tokens do not have either, though crawlers do. "*" may have words after it. */
static void robots_agent(Robots *robots, const char *value)
{
	size_t length = strspn(value, TOKEN_LETTERS),
	       digits = strspn(value, TOKEN_LETTERS "0123456789");

	if (!robots->group || robots->rules_seen) {
		g_free(robots->group);
		robots->group = robots_new_group(robots);
		robots->rules_seen = false;
	}
	if (robots->agents_ended) {
		g_ptr_array_set_size(robots->agents, 0);
		g_clear_pointer(&robots->delay_group, g_free);
		robots->agents_ended = false;
	}
	if (*value == '*' && (!value[1] || g_ascii_isspace(value[1]))) {
		robots_token(robots, "*", 1);
		return;
	}
	robots_token(robots, value, length);
	if (digits > length)
		robots_token(robots, value, digits);
}

/* Escapes get upper-case digits, and bytes that are not ASCII become escapes. */
static char *robots_pattern(const char *value)
{
	GString *out = g_string_new(NULL);

	for (const char *at = value; *at; at++) {
		if (at[0] == '%' && g_ascii_isxdigit(at[1]) && g_ascii_isxdigit(at[2])) {
			g_string_append_printf(
			        out, "%%%c%c", g_ascii_toupper(at[1]), g_ascii_toupper(at[2]));
			at += 2;
		} else if (*at & 0x80) {
			g_string_append_printf(out, "%%%02X", (unsigned char)*at);
		} else {
			g_string_append_c(out, *at);
		}
	}
	return g_string_free(out, FALSE);
}

static void robots_rule(Robots *robots, DocLinkKind kind, const char *value)
{
	g_autofree char *pattern = robots_pattern(value);
	char *slash = strrchr(pattern, '/');

	if (!robots->group)
		return;
	robots->rules_seen = robots->agents_ended = true;
	if (!*pattern)
		return;
	robots_send(robots, kind, pattern, robots->group);
	/* A site that allows the index of a directory means the directory. */
	if (kind == LINK_ALLOW && slash && g_str_has_prefix(slash, "/index.htm")) {
		strcpy(slash + 1, "$");
		robots_send(robots, kind, pattern, robots->group);
	}
}

static void robots_delay(Robots *robots, const char *value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	double seconds = g_ascii_isdigit(*value) ? g_ascii_strtod(value, NULL) : -1;

	if (!robots->group || seconds < 0 || seconds > MAX_DELAY)
		return;
	robots->agents_ended = true;
	if (!robots->delay_group) {
		robots->delay_group = robots_new_group(robots);
		for (guint i = 0; i < robots->agents->len; i++)
			robots_send(
			        robots, LINK_AGENT, robots->agents->pdata[i], robots->delay_group);
	}
	g_ascii_formatd(text, sizeof text, "%.3f", seconds);
	robots_send(robots, LINK_DELAY, text, robots->delay_group);
}

static void robots_line(Robots *robots, char *line)
{
	char *value;

	if (!robots_split(line, &value))
		return;
	switch (robots_key(line)) {
	case KEY_AGENT:
		robots_agent(robots, value);
		break;
	case KEY_ALLOW:
		robots_rule(robots, LINK_ALLOW, value);
		break;
	case KEY_DISALLOW:
		robots_rule(robots, LINK_DISALLOW, value);
		break;
	case KEY_SITEMAP:
		if (*value)
			robots_send(robots, LINK_SITEMAP, value, NULL);
		break;
	case KEY_DELAY:
		robots_delay(robots, value);
		break;
	case KEY_OTHER:
		break;
	}
}

/* Lines end with CR or LF. The rest of a line after NUL is not read. */
static void robots_lines(Robots *robots, const char *text, size_t length)
{
	while (length > 0) {
		size_t n = 0;
		while (n < length && text[n] != '\n' && text[n] != '\r')
			n++;
		g_autofree char *line = g_strndup(text, MIN(n, LINE_BYTES));
		robots_line(robots, line);
		n += n < length;
		text += n;
		length -= n;
	}
}

/* The part of a large file that is read ends with a whole line. */
static size_t robots_read_length(const Input *in, Sink *sink)
{
	size_t length = FILE_BYTES;

	if (in->size <= FILE_BYTES)
		return in->size;
	while (length > 0 && in->data[length - 1] != '\n' && in->data[length - 1] != '\r')
		length--;
	sink_truncated(sink, REASON_LIMIT_TEXT, NULL);
	return length;
}

static ExtractResult robots_extract(const Input *in, Sink *sink)
{
	static const uint8_t utf8_mark[] = {0xef, 0xbb, 0xbf};
	g_autoptr(GPtrArray) agents = g_ptr_array_new_with_free_func(g_free);
	Robots robots = {.sink = sink, .agents = agents};
	size_t length = robots_read_length(in, sink), mark = 0;
	g_autofree char *decoded = NULL;
	const char *text = (const char *)in->data;

	if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
		decoded = decode_text(in->data, length, NULL, &length, NULL);
		text = decoded;
	}
	/* Part of the mark, from a broken editor, counts too. */
	while (mark < sizeof utf8_mark && mark < length && (uint8_t)text[mark] == utf8_mark[mark])
		mark++;
	robots_lines(&robots, text + mark, length - mark);
	g_free(robots.group);
	g_free(robots.delay_group);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {ROBOTS_TYPE, NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "robots",
        .version = 1,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = robots_extract,
};
