/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/http-freshness.h"
#include "common/base/http-date.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
	const char *name, *value; /* value: NULL without "="; the quotes are left out */
	size_t name_length, value_length;
} Directive;

/* Returns the place after a quoted string whose text begins at p. */
static const char *skip_quoted(const char *p)
{
	while (*p && *p != '"')
		p += p[0] == '\\' && p[1] ? 2 : 1;
	return *p ? p + 1 : p;
}

/* Reads the next directive of Cache-Control and moves *p to the one after it. */
static bool next_directive(const char **p, Directive *d)
{
	const char *at = *p + strspn(*p, " \t,");
	*d = (Directive){.name = at, .name_length = strcspn(at, "=,")};
	if (!*at)
		return false;
	at += d->name_length;
	while (d->name_length > 0 && g_ascii_isspace(d->name[d->name_length - 1]) && *at != '=')
		d->name_length--;
	if (*at == '=') {
		bool quoted = *++at == '"';
		d->value = at + quoted;
		const char *end = quoted ? skip_quoted(at + 1) : at + strcspn(at, ",");
		d->value_length = end - d->value - (quoted && end > d->value && end[-1] == '"');
		at = end + strcspn(end, ",");
	}
	*p = at;
	return true;
}

static bool directive_is(const Directive *d, const char *name)
{
	return d->name_length == strlen(name) &&
	       g_ascii_strncasecmp(d->name, name, d->name_length) == 0;
}

/* Reads digits and nothing else but blanks after them; large numbers are cut. */
static bool read_seconds(const char *text, size_t length, int64_t *seconds_r)
{
	size_t i = 0;
	*seconds_r = 0;
	for (; i < length && g_ascii_isdigit(text[i]); i++)
		*seconds_r = MIN(*seconds_r * 10 + (text[i] - '0'), HTTP_FRESH_MOST_S);
	bool any = i > 0;
	while (i < length && (text[i] == ' ' || text[i] == '\t'))
		i++;
	return any && i == length;
}

typedef struct {
	bool forbidden; /* no-cache, no-store, or a max-age that says nothing */
	bool has_age;
	int64_t max_age;
} CacheControl;

static CacheControl read_cache_control(const char *text)
{
	CacheControl c = {0};
	Directive d;
	while (text && next_directive(&text, &d)) {
		/* with a value it is about the headers that the value names */
		if ((directive_is(&d, "no-cache") && !d.value) || directive_is(&d, "no-store"))
			c.forbidden = true;
		if ((!directive_is(&d, "max-age") && !directive_is(&d, "max-age ")) || c.has_age)
			continue;
		c.has_age = true;
		if (d.name_length != strlen("max-age") || !d.value ||
		        !read_seconds(d.value, d.value_length, &c.max_age))
			c.forbidden = true;
	}
	return c;
}

/* The first of several values counts; what is not a number is ignored. */
static int64_t read_age(const char *text)
{
	int64_t seconds;
	if (!text)
		return 0;
	text += strspn(text, " \t");
	return read_seconds(text, strcspn(text, ",;"), &seconds) ? seconds : 0;
}

static int64_t answer_date(const HttpAnswer *a)
{
	int64_t date = a->response_s;
	if (a->date)
		http_date_parse(a->date, a->response_s, &date);
	return date;
}

static int64_t answer_lifetime(const HttpAnswer *a)
{
	int64_t expires;
	CacheControl c = read_cache_control(a->cache_control);
	if (c.forbidden)
		return 0;
	if (c.has_age)
		return c.max_age;
	if (!a->expires || !http_date_parse(a->expires, a->response_s, &expires))
		return 0;
	return expires - answer_date(a);
}

int64_t http_freshness(const HttpAnswer *a)
{
	int64_t apparent = MAX(0, a->response_s - answer_date(a));
	int64_t corrected = read_age(a->age) + MAX(0, a->response_s - a->request_s);
	int64_t left = answer_lifetime(a) - MAX(apparent, corrected);
	return CLAMP(left, 0, HTTP_FRESH_MOST_S);
}
