/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-client.h"
#include "common/base/i18n.h"
#include <string.h>

enum {
	TRIES = 7,
	TRIES_UNREACHED = 3, /* the supervisor has more patience */
	WAIT_FIRST_MS = 100,
	WAIT_ASKED_S = 60, /* that a server may ask for */
	WHY_BYTES = 300,
	KEY_BYTES = 64,
};

struct OsClient {
	OsHttp *http;
};

OsClient *os_client_new(const char *url, const ExportOpening *opening, GError **error)
{
	OsHttp *http = os_http_new(url, opening, error);
	if (!http)
		return NULL;
	OsClient *client = g_new0(OsClient, 1);
	client->http = http;
	return client;
}

void os_client_free(OsClient *client)
{
	if (client)
		os_http_free(client->http);
	g_free(client);
}

/* ---- values */

json_t *os_parse(const char *text, size_t length)
{
	json_t *json = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
	if (json_is_object(json))
		return json;
	json_decref(json);
	return NULL;
}

json_t *os_value(const json_t *object, const char *path)
{
	char key[KEY_BYTES];
	while (object) {
		size_t length = strcspn(path, ".");
		g_strlcpy(key, path, MIN(length + 1, sizeof key));
		object = json_object_get(object, key);
		if (path[length] == '\0')
			break;
		path += length + 1;
	}
	return (json_t *)object;
}

/* Aggregations answer with real numbers. */
int64_t os_int(const json_t *object, const char *path)
{
	const json_t *value = os_value(object, path);
	double real = json_real_value(value);
	if (json_is_integer(value))
		return json_integer_value(value);
	return real > -9e18 && real < 9e18 ? (int64_t)real : 0;
}

const char *os_text(const json_t *object, const char *path)
{
	const char *text = json_string_value(os_value(object, path));
	return text ? text : "";
}

/* ---- faults */

char *os_clean(const char *text, size_t most)
{
	g_autofree char *shown = g_strndup(text, most);
	char *valid = g_utf8_make_valid(shown, -1);
	for (char *at = valid; *at; at++)
		if (g_ascii_iscntrl(*at))
			*at = ' ';
	return g_strstrip(valid);
}

bool os_client_fail_text(const char *why, GError **error)
{
	g_autofree char *clean = os_clean(why, WHY_BYTES);
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE, "OpenSearch: %s", clean);
	return false;
}

bool os_client_fail(const json_t *answer, unsigned status, GError **error)
{
	const json_t *fault = json_object_get(answer, "error");
	const char *why = os_text(fault, "reason");
	if (json_is_string(fault))
		why = json_string_value(fault);
	if (!*why)
		why = os_text(answer, "message");
	g_autofree char *text =
	        g_strdup_printf(*why ? _("status %u: %s") : _("status %u"), status, why);
	return os_client_fail_text(text, error);
}

/* ---- requests */

bool os_client_wait(unsigned number, unsigned retry_after_s)
{
	if (number >= TRIES)
		return false;
	unsigned ms = WAIT_FIRST_MS << (number - 1);
	if (retry_after_s > 0)
		ms = MIN(retry_after_s, WAIT_ASKED_S) * 1000;
	g_usleep(1000 * ((gulong)ms + g_random_int_range(0, (int)ms / 2)));
	return true;
}

static bool client_is_later(unsigned status)
{
	return status == 429 || status == 502 || status == 503 || status == 504;
}

bool os_client_send(OsClient *client, const char *method, const char *path, const char *type,
        const char *body, size_t length, OsAnswer *out, GError **error)
{
	for (unsigned number = 1;; number++) {
		if (!os_http_ask(client->http, method, path, type, body, length, out, error))
			return false;
		if (out->status != 0 && !client_is_later(out->status))
			return true;
		bool again = (out->status != 0 || number < TRIES_UNREACHED) &&
		             os_http_has_time(client->http, MAX(out->retry_after_s, 1)) &&
		             os_client_wait(number, out->retry_after_s);
		if (!again && out->status == 0)
			os_client_fail_text(out->body->str, error);
		else if (!again) {
			json_t *answer = os_parse(out->body->str, out->body->len);
			os_client_fail(answer, out->status, error);
			json_decref(answer);
		}
		g_string_free(out->body, TRUE);
		if (!again)
			return false;
	}
}

json_t *os_client_ask(OsClient *client, const char *method, const char *path, const json_t *body,
        unsigned *status_r, GError **error)
{
	OsAnswer answer;
	char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
	bool sent = os_client_send(client, method, path, body ? "application/json" : "", text,
	        text ? strlen(text) : 0, &answer, error);
	free(text);
	if (!sent)
		return NULL;
	json_t *json = os_parse(answer.body->str, answer.body->len);
	*status_r = answer.status;
	if (!json) {
		g_autofree char *why = g_strdup_printf(_("status %u, and no JSON"), answer.status);
		os_client_fail_text(why, error);
	}
	g_string_free(answer.body, TRUE);
	return json;
}

json_t *os_client_need(OsClient *client, const char *method, const char *path, const json_t *body,
        unsigned accepted, GError **error)
{
	unsigned status;
	json_t *answer = os_client_ask(client, method, path, body, &status, error);
	if (!answer || status / 100 == 2 || status == accepted)
		return answer;
	os_client_fail(answer, status, error);
	json_decref(answer);
	return NULL;
}
