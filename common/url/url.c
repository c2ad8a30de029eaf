/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url.h"
#include "common/url/url-host.h"
#include "common/url/url-percent.h"
#include "common/base/i18n.h"
#include "common/base/utf8.h"
#include <string.h>

static const struct {
	const char *name;
	int port;
} special_schemes[] = {
        {"http", 80},
        {"https", 443},
        {"ws", 80},
        {"wss", 443},
        {"ftp", 21},
        {"file", URL_NO_PORT},
};

/* The parser: what is left of the text, and the URL so far. The path grows in a buffer. */
typedef struct {
	const char *at, *end;
	const Url *base;
	Url *url;
	GString *path;
	bool special, file;
	const char *reason;
} UrlParse;

bool url_scheme_is_special(const char *scheme)
{
	for (size_t i = 0; i < G_N_ELEMENTS(special_schemes); i++) {
		if (strcmp(scheme, special_schemes[i].name) == 0)
			return true;
	}
	return false;
}

int url_scheme_port(const char *scheme)
{
	for (size_t i = 0; i < G_N_ELEMENTS(special_schemes); i++) {
		if (strcmp(scheme, special_schemes[i].name) == 0)
			return special_schemes[i].port;
	}
	return URL_NO_PORT;
}

void url_free(Url *url)
{
	if (!url)
		return;
	g_free(url->scheme);
	g_free(url->username);
	g_free(url->password);
	g_free(url->host);
	g_free(url->path);
	g_free(url->query);
	g_free(url->fragment);
	g_free(url);
}

static bool url_fail(UrlParse *parse, const char *reason)
{
	parse->reason = reason;
	return false;
}

static bool is_slash(const UrlParse *parse, const char *at)
{
	return at < parse->end && (*at == '/' || (*at == '\\' && parse->special));
}

/* The first byte from at on that is one of bytes. */
static const char *url_find(const UrlParse *parse, const char *at, const char *bytes)
{
	while (at < parse->end && !(*at && strchr(bytes, *at)))
		at++;
	return at;
}

static char *url_encoded(UrlSet set, const char *from, const char *to)
{
	GString *out = g_string_sized_new(to - from);
	url_percent_encode(out, set, from, to - from);
	return g_string_free(out, FALSE);
}

/* ---- the path */

/* A letter and ":"; or also "|" if the URL need not be normalised. */
static bool is_drive(const char *text, size_t length, bool normalised)
{
	return length == 2 && g_ascii_isalpha(text[0]) &&
	       (text[1] == ':' || (text[1] == '|' && !normalised));
}

/* Does the rest begin with a drive letter of Windows, as a segment of its own? */
static bool drive_begins(const UrlParse *parse)
{
	size_t left = parse->end - parse->at;

	return left >= 2 && is_drive(parse->at, 2, false) &&
	       (left == 2 || strchr("/\\?#", parse->at[2]));
}

/* Removes the last segment; a drive letter stays. */
static void path_shorten(UrlParse *parse)
{
	GString *path = parse->path;
	const char *last = memrchr(path->str, '/', path->len);

	if (!last || (parse->file && last == path->str && is_drive(last + 1, path->len - 1, true)))
		return;
	g_string_truncate(path, last - path->str);
}

/* The number of dots if the segment is "." or "..", where a dot may be escaped; else 0. */
static unsigned path_dots(const char *segment, size_t length)
{
	unsigned n = 0;

	while (length > 0) {
		bool escaped = length >= 3 && g_ascii_strncasecmp(segment, "%2e", 3) == 0;
		if (!escaped && *segment != '.')
			return 0;
		segment += escaped ? 3 : 1;
		length -= escaped ? 3 : 1;
		n++;
	}
	return n <= 2 ? n : 0;
}

static void path_add_segment(UrlParse *parse, const char *segment, size_t length, bool more)
{
	unsigned dots = path_dots(segment, length);

	if (dots == 2)
		path_shorten(parse);
	if (dots > 0) {
		if (!more)
			g_string_append_c(parse->path, '/');
		return;
	}
	bool drive = parse->file && parse->path->len == 0 && is_drive(segment, length, false);
	g_string_append_c(parse->path, '/');
	url_percent_encode(parse->path, URL_SET_PATH, segment, length);
	if (drive)
		parse->path->str[2] = ':';
}

static bool parse_query_and_fragment(UrlParse *parse)
{
	UrlSet set = parse->special ? URL_SET_SPECIAL_QUERY : URL_SET_QUERY;

	if (parse->at < parse->end && *parse->at == '?') {
		const char *start = parse->at + 1;
		parse->at = url_find(parse, start, "#");
		g_free(parse->url->query);
		parse->url->query = url_encoded(set, start, parse->at);
	}
	if (parse->at < parse->end)
		parse->url->fragment = url_encoded(URL_SET_FRAGMENT, parse->at + 1, parse->end);
	return true;
}

/* The rest is segments, the first without its slash. */
static bool parse_path(UrlParse *parse)
{
	bool more = true;

	while (more) {
		const char *start = parse->at;
		parse->at = url_find(parse, start, parse->special ? "/\\?#" : "/?#");
		more = is_slash(parse, parse->at);
		path_add_segment(parse, start, parse->at - start, more);
		parse->at += more;
	}
	return parse_query_and_fragment(parse);
}

/* The characters that end a host. */
static bool parse_path_start(UrlParse *parse)
{
	if (!parse->special && (parse->at == parse->end || *parse->at == '?' || *parse->at == '#'))
		return parse_query_and_fragment(parse);
	parse->at += is_slash(parse, parse->at);
	return parse_path(parse);
}

static bool parse_opaque_path(UrlParse *parse)
{
	const char *start = parse->at;

	parse->at = url_find(parse, start, "?#");
	parse->url->opaque = true;
	/* A space right before "?" or "#" would be lost when these are removed. */
	bool space = parse->at > start && parse->at < parse->end && parse->at[-1] == ' ';
	url_percent_encode(parse->path, URL_SET_CONTROL, start, parse->at - start - space);
	if (space)
		g_string_append(parse->path, "%20");
	return parse_query_and_fragment(parse);
}

/* ---- the authority */

static void parse_credentials(Url *url, const char *from, const char *to)
{
	const char *colon = memchr(from, ':', to - from);

	g_free(url->username);
	url->username = url_encoded(URL_SET_USERINFO, from, colon ? colon : to);
	if (colon) {
		g_free(url->password);
		url->password = url_encoded(URL_SET_USERINFO, colon + 1, to);
	}
}

static bool parse_port(UrlParse *parse, const char *from, const char *to)
{
	int port = 0;

	if (from == to)
		return true;
	for (; from < to; from++) {
		if (!g_ascii_isdigit(*from))
			return url_fail(parse, N_("the port is not a number"));
		port = port * 10 + (*from - '0');
		if (port > 65535)
			return url_fail(parse, N_("the port is above 65535"));
	}
	parse->url->port = port == url_scheme_port(parse->url->scheme) ? URL_NO_PORT : port;
	return true;
}

/* The colon before the port; colons in brackets belong to the host. */
static const char *port_colon(const char *from, const char *to)
{
	bool inside = false;

	for (; from < to && (*from != ':' || inside); from++)
		inside = *from == '[' || (inside && *from != ']');
	return from;
}

static bool parse_host(UrlParse *parse, const char *from, const char *to)
{
	g_free(parse->url->host);
	parse->url->host = url_host_parse(from, to - from, parse->special, &parse->reason);
	return parse->url->host;
}

static bool parse_authority(UrlParse *parse)
{
	const char *start = parse->at;
	const char *end = url_find(parse, start, parse->special ? "/\\?#" : "/?#");
	const char *sign = memrchr(start, '@', end - start);

	if (sign)
		parse_credentials(parse->url, start, sign);
	start = sign ? sign + 1 : start;
	const char *colon = port_colon(start, end);
	if (start == colon && (parse->special || sign || colon < end))
		return url_fail(parse, N_("the host is missing"));
	if (!parse_host(parse, start, colon) || (colon < end && !parse_port(parse, colon + 1, end)))
		return false;
	parse->at = end;
	return parse_path_start(parse);
}

/* Special schemes have an authority after any number of slashes. */
static bool parse_special_authority(UrlParse *parse)
{
	while (is_slash(parse, parse->at))
		parse->at++;
	return parse_authority(parse);
}

/* ---- relative URLs */

static void url_replace(char **string, const char *value)
{
	g_free(*string);
	*string = g_strdup(value);
}

static void copy_authority(UrlParse *parse)
{
	url_replace(&parse->url->username, parse->base->username);
	url_replace(&parse->url->password, parse->base->password);
	url_replace(&parse->url->host, parse->base->host);
	parse->url->port = parse->base->port;
}

/* The rest replaces query and fragment, or the last segment too. */
static bool parse_relative_rest(UrlParse *parse)
{
	g_string_assign(parse->path, parse->base->path);
	if (parse->at < parse->end && *parse->at != '?' && *parse->at != '#') {
		if (parse->file && drive_begins(parse))
			g_string_truncate(parse->path, 0);
		else
			path_shorten(parse);
		return parse_path(parse);
	}
	url_replace(&parse->url->query, parse->base->query);
	return parse_query_and_fragment(parse);
}

/* The scheme is that of the base, which is not file. */
static bool parse_relative(UrlParse *parse)
{
	if (!is_slash(parse, parse->at)) {
		copy_authority(parse);
		return parse_relative_rest(parse);
	}
	parse->at++;
	if (is_slash(parse, parse->at))
		return parse->special ? parse_special_authority(parse)
		                      : (parse->at++, parse_authority(parse));
	copy_authority(parse);
	return parse_path(parse);
}

/* ---- file URLs */

static bool parse_file_host(UrlParse *parse)
{
	const char *start = parse->at;
	const char *end = url_find(parse, start, "/\\?#");

	/* A drive letter is not a host. */
	if (is_drive(start, end - start, false))
		return parse_path(parse);
	if (end > start && !parse_host(parse, start, end))
		return false;
	if (strcmp(parse->url->host, "localhost") == 0)
		*parse->url->host = 0;
	parse->at = end;
	return parse_path_start(parse);
}

/* One slash came. */
static bool parse_file_slash(UrlParse *parse, const Url *base)
{
	if (is_slash(parse, parse->at)) {
		parse->at++;
		return parse_file_host(parse);
	}
	if (base) {
		url_replace(&parse->url->host, base->host);
		if (!drive_begins(parse) && base->path[0] == '/' &&
		        is_drive(base->path + 1, strcspn(base->path + 1, "/"), true))
			g_string_append_len(parse->path, base->path, 3);
	}
	return parse_path(parse);
}

static bool parse_file(UrlParse *parse)
{
	const Url *base =
	        parse->base && strcmp(parse->base->scheme, "file") == 0 ? parse->base : NULL;

	url_replace(&parse->url->host, "");
	if (is_slash(parse, parse->at)) {
		parse->at++;
		return parse_file_slash(parse, base);
	}
	if (!base)
		return parse_path(parse);
	url_replace(&parse->url->host, base->host);
	return parse_relative_rest(parse);
}

/* ---- the whole */

static void set_scheme(UrlParse *parse, char *scheme)
{
	parse->url->scheme = scheme;
	parse->special = url_scheme_is_special(scheme);
	parse->file = strcmp(scheme, "file") == 0;
}

/* Takes the scheme with its colon; false if there is none. */
static bool take_scheme(UrlParse *parse)
{
	const char *at = parse->at;

	if (at == parse->end || !g_ascii_isalpha(*at))
		return false;
	while (at < parse->end && (g_ascii_isalnum(*at) || (*at && strchr("+-.", *at))))
		at++;
	if (at == parse->end || *at != ':')
		return false;
	set_scheme(parse, g_ascii_strdown(parse->at, at - parse->at));
	parse->at = at + 1;
	return true;
}

static bool parse_absolute(UrlParse *parse)
{
	const char *at = parse->at;

	if (parse->file)
		return parse_file(parse);
	if (parse->special) {
		bool two = parse->end - at >= 2 && at[0] == '/' && at[1] == '/';
		bool same = parse->base && strcmp(parse->base->scheme, parse->url->scheme) == 0;
		return same && !two ? parse_relative(parse) : parse_special_authority(parse);
	}
	if (at == parse->end || *at != '/')
		return parse_opaque_path(parse);
	parse->at++;
	if (parse->at < parse->end && *parse->at == '/') {
		parse->at++;
		return parse_authority(parse);
	}
	return parse_path(parse);
}

static bool parse_without_scheme(UrlParse *parse)
{
	const Url *base = parse->base;

	if (!base)
		return url_fail(parse, N_("it is relative, and there is no base"));
	set_scheme(parse, g_strdup(base->scheme));
	if (base->opaque) {
		if (parse->at == parse->end || *parse->at != '#')
			return url_fail(parse, N_("nothing is relative to the base"));
		parse->url->opaque = true;
		g_string_assign(parse->path, base->path);
		url_replace(&parse->url->query, base->query);
		return parse_query_and_fragment(parse);
	}
	return parse->file ? parse_file(parse) : parse_relative(parse);
}

/* A copy without spaces and controls at both ends, and without tabs and line ends. */
static GString *url_trimmed(const char *text, size_t length)
{
	GString *out = g_string_sized_new(length);

	while (length > 0 && (unsigned char)text[length - 1] <= ' ')
		length--;
	for (; length > 0 && (unsigned char)*text <= ' '; length--)
		text++;
	for (size_t i = 0; i < length; i++) {
		if (!(text[i] && strchr("\t\n\r", text[i])))
			g_string_append_c(out, text[i]);
	}
	return out;
}

/* NUL is a character here, though no valid text of the rest of this program has it. */
static bool url_is_utf8(const char *text, size_t length)
{
	while (length > 0) {
		size_t n = utf8_valid_prefix(text, length);
		if (n < length && text[n] != 0)
			return false;
		n += n < length;
		text += n;
		length -= n;
	}
	return true;
}

Url *url_parse(const char *text, gssize length, const Url *base, const char **reason_r)
{
	size_t bytes = length < 0 ? strlen(text) : (size_t)length;
	UrlParse parse = {.base = base};
	bool done = false;

	if (bytes > URL_MAX_BYTES)
		url_fail(&parse, N_("it is longer than 8 KiB"));
	else if (!url_is_utf8(text, bytes))
		url_fail(&parse, N_("it is not UTF-8"));
	if (parse.reason) {
		if (reason_r)
			*reason_r = parse.reason;
		return NULL;
	}
	g_autoptr(GString) trimmed = url_trimmed(text, bytes);
	g_autoptr(Url) url = g_new0(Url, 1);
	url->username = g_strdup("");
	url->password = g_strdup("");
	url->port = URL_NO_PORT;
	parse.url = url;
	parse.path = g_string_new(NULL);
	parse.at = trimmed->str;
	parse.end = trimmed->str + trimmed->len;
	done = take_scheme(&parse) ? parse_absolute(&parse) : parse_without_scheme(&parse);
	url->path = g_string_free(parse.path, FALSE);
	if (!done && reason_r)
		*reason_r = parse.reason;
	return done ? g_steal_pointer(&url) : NULL;
}

char *url_text(const Url *url)
{
	GString *out = g_string_new(url->scheme);

	g_string_append_c(out, ':');
	if (url->host) {
		g_string_append(out, "//");
		g_string_append(out, url->username);
		if (*url->password)
			g_string_append_printf(out, ":%s", url->password);
		if (*url->username || *url->password)
			g_string_append_c(out, '@');
		g_string_append(out, url->host);
		if (url->port != URL_NO_PORT)
			g_string_append_printf(out, ":%d", url->port);
	} else if (!url->opaque && g_str_has_prefix(url->path, "//")) {
		/* Else the path would be read as an authority. */
		g_string_append(out, "/.");
	}
	g_string_append(out, url->path);
	if (url->query)
		g_string_append_printf(out, "?%s", url->query);
	if (url->fragment)
		g_string_append_printf(out, "#%s", url->fragment);
	return g_string_free(out, FALSE);
}
