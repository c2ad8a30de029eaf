/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-http.h - a process that asks one server over HTTP
 *
 * The client parses the index and cannot connect to anything while it does. So the requests are
 * made by a process that was forked before. It knows the address and the credentials, is confined
 * as what starts tarsier-fetch is (common/sandbox/confine.h), and ends with the client. */
#pragma once
#include "ui-cli/cmd/export/export-target.h"
#include <glib.h>

typedef struct OsHttp OsHttp;

typedef struct {
	unsigned status; /* of HTTP; 0: there was no answer, and body tells why */
	unsigned retry_after_s; /* as the server asks for; 0: it does not */
	GString *body;
} OsAnswer;

/* Starts the process. url: scheme, host and port. Must be called while there is a single thread.
 * NULL with error. */
OsHttp *os_http_new(const char *url, const ExportOpening *opening, GError **error);
void os_http_free(OsHttp *http);
/* A search has EXPORT_SEARCH_SECONDS for all its requests: are so many seconds left? */
bool os_http_has_time(const OsHttp *http, unsigned seconds);

/* Makes one request. path begins with "/". type: of the body, which may be NULL. Bodies of answers
 * have at most 64 MiB, those to a search 32 MiB. Redirects are not followed. False with error only
 * if the process is gone; else the caller frees out->body. */
bool os_http_ask(OsHttp *http, const char *method, const char *path, const char *type,
        const char *body, size_t length, OsAnswer *out, GError **error);
