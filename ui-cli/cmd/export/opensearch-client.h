/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-client.h - requests in JSON, with patience
 *
 * Requests that a busy server refuses (429, 502, 503, 504) and connections that break are tried
 * again, after 0.1 s and then twice as long each time, with up to half as much more by chance, or
 * as long as the server asks for. An answer is hostile until checked: numbers and texts are taken
 * by the functions below, whatever is in their place. */
#pragma once
#include "ui-cli/cmd/export/opensearch-http.h"
#include <jansson.h>

typedef struct OsClient OsClient;

OsClient *os_client_new(const char *url, const ExportOpening *opening, GError **error);
void os_client_free(OsClient *client);

/* Asks until there is an answer that says more than "later". body may be NULL. False with
 * EXPORT_ERROR_UNAVAILABLE; else the caller frees out->body. */
bool os_client_send(OsClient *client, const char *method, const char *path, const char *type,
        const char *body, size_t length, OsAnswer *out, GError **error);
/* Waits before the try with this number, from 1. False: it was tried often enough. */
bool os_client_wait(unsigned number, unsigned retry_after_s);

/* The same with JSON. body: borrowed; NULL: none. Returns the object that was answered with any
 * status. NULL with error: there was none. */
json_t *os_client_ask(OsClient *client, const char *method, const char *path, const json_t *body,
        unsigned *status_r, GError **error);
/* The same for a status of success. accepted: another status that is good too, or 0. */
json_t *os_client_need(OsClient *client, const char *method, const char *path, const json_t *body,
        unsigned accepted, GError **error);
/* Parses an answer or a line. NULL: it is not an object. */
json_t *os_parse(const char *text, size_t length);

/* Sets EXPORT_ERROR_UNAVAILABLE with what the server gives as its reason, and returns false. */
bool os_client_fail(const json_t *answer, unsigned status, GError **error);
bool os_client_fail_text(const char *why, GError **error);
/* At most so many bytes of a text, without control characters. The caller frees it. */
char *os_clean(const char *text, size_t most);

/* The value at a path of keys, "a.b"; of another type: 0, "", NULL. Borrowed. */
int64_t os_int(const json_t *object, const char *path);
const char *os_text(const json_t *object, const char *path);
json_t *os_value(const json_t *object, const char *path);
