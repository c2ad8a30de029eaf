/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url.h - parses, resolves and writes URLs as browsers do
 *
 * Source: WHATWG URL Standard (url.spec.whatwg.org), sections 3 and 4, for UTF-8 documents. Time
 * and memory are linear in the length of the text. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	URL_MAX_BYTES = 8 << 10, /* of a URL that is parsed */
	URL_NO_PORT = -1, /* none, or the default one of the scheme */
};

/* All strings are ASCII without controls: everything else is percent-encoded or Punycode. A text of
 * URL_MAX_BYTES gives at most three times as many. */
typedef struct {
	char *scheme; /* lower case, without ":" */
	char *username, *password; /* never NULL; "" if absent */
	char *host; /* NULL if there is no authority; IPv6 addresses have their brackets */
	int port; /* 0 to 65535 or URL_NO_PORT */
	char *path; /* begins with "/" or is empty, unless it is opaque */
	bool opaque; /* the path cannot be resolved against, as in "mailto:user@example.org" */
	char *query, *fragment; /* without "?" and "#"; NULL if absent */
} Url;

/* Parses text, which may hold any byte; length -1: it ends with NUL. base: what a relative URL is
 * resolved against, or NULL. NULL if it is not a URL; *reason_r, which may be NULL, then gets a
 * static, untranslated clause. The caller frees the result. */
Url *url_parse(const char *text, gssize length, const Url *base, const char **reason_r);
void url_free(Url *url);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Url, url_free)

/* The URL as text, with its fragment. The caller frees it. */
char *url_text(const Url *url);

/* True for http, https, ws, wss, ftp and file, whose URLs have a host and "\" for "/". */
bool url_scheme_is_special(const char *scheme);
/* The default port of a special scheme; URL_NO_PORT for others and for file. */
int url_scheme_port(const char *scheme);
