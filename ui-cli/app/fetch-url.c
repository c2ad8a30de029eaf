/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/fetch-url.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/fetch/fetch-client.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include <fcntl.h>
#include <string.h>

enum { LEAST_GAP_MS = 1000, GAP_FACTOR = 10, REQUEST_SECONDS = 30 };

struct UrlFetcher {
	FetchClient *client;
	const char *contact;
	int64_t delay_ms, duration_ms; /* of the site; of the last answer */
	int64_t answered_us; /* monotonic; 0: nothing was asked yet */
};

UrlFetcher *url_fetcher_new(const char *contact)
{
	UrlFetcher *fetcher = g_new0(UrlFetcher, 1);
	fetcher->contact = contact;
	fetcher->client = fetch_client_new(NULL, 0);
	return fetcher;
}

void url_fetcher_free(UrlFetcher *fetcher)
{
	if (!fetcher)
		return;
	fetch_client_free(fetcher->client);
	g_free(fetcher);
}

void url_fetcher_set_delay(UrlFetcher *fetcher, double seconds)
{
	fetcher->delay_ms = CLAMP(seconds, 0, 24 * 3600) * 1000;
}

int64_t url_fetcher_gap_ms(const UrlFetcher *fetcher)
{
	int64_t gap = MAX(fetcher->delay_ms, GAP_FACTOR * fetcher->duration_ms);
	return MAX(gap, LEAST_GAP_MS);
}

static void url_fetcher_rest(const UrlFetcher *fetcher)
{
	int64_t until = fetcher->answered_us + url_fetcher_gap_ms(fetcher) * 1000;
	int64_t now = g_get_monotonic_time();
	if (fetcher->answered_us > 0 && until > now)
		g_usleep(until - now);
}

void url_answer_clear(UrlAnswer *answer)
{
	autofd_close(&answer->body);
	g_free(answer->detail);
	g_free(answer->type);
	g_free(answer->location);
	*answer = (UrlAnswer){.body = -1};
}

/* The value of a header in a block of headers, without white space around it; the last one if there
 * are several. NULL if there is none. The caller frees it. */
static char *url_header(const char *headers, const char *name)
{
	size_t length = strlen(name);
	const char *found = NULL;
	for (const char *line = strchr(headers, '\n'); line; line = strchr(line, '\n')) {
		line++;
		if (g_ascii_strncasecmp(line, name, length) == 0 && line[length] == ':')
			found = line + length + 1;
	}
	return found ? g_strstrip(g_strndup(found, strcspn(found, "\r\n"))) : NULL;
}

static char *answer_type(const char *headers)
{
	g_autofree char *value = url_header(headers, "Content-Type");
	if (!value)
		return g_strdup("");
	value[strcspn(value, "; \t")] = '\0';
	return g_ascii_strdown(value, -1);
}

/* Where a redirect leads, if that is http or https. */
static char *answer_location(const FetchAnswer *answer, const char *url)
{
	if (answer->status / 100 != 3 || answer->status == 304)
		return NULL;
	g_autofree char *value = url_header(answer->headers, "Location");
	g_autoptr(Url) base = url_parse(url, -1, NULL, NULL);
	char *target = value ? url_canonical(value, -1, base, NULL) : NULL;
	g_autofree char *origin = target ? url_origin(target, NULL) : NULL;
	if (!origin)
		g_clear_pointer(&target, g_free);
	return target;
}

typedef struct {
	const char *url;
	UrlAnswer *answer;
	int64_t duration_ms;
	bool done;
} UrlWait;

static void url_wait_done(const FetchAnswer *answer, int body, void *data)
{
	UrlWait *wait = data;
	*wait->answer = (UrlAnswer){.error = answer->error,
	        .status = answer->status,
	        .truncated = answer->truncated,
	        .detail = g_strdup(answer->detail),
	        .body = body,
	        .body_bytes = answer->body_bytes,
	        .type = answer_type(answer->headers),
	        .location = answer_location(answer, wait->url)};
	wait->duration_ms = MIN(answer->total_us / 1000, (uint64_t)REQUEST_SECONDS * 1000);
	wait->done = true;
}

void url_fetch(UrlFetcher *fetcher, const char *url, const char *source, uint64_t body_bytes,
        UrlAnswer *answer_r)
{
	g_autofree char *local = url_host_is_local(source) ? url_place(source) : NULL;
	UrlWait wait = {.url = url, .answer = answer_r};
	const FetchRequest request = {.url = (char *)url,
	        .local = local,
	        .contact = (char *)fetcher->contact,
	        .wire_bytes = body_bytes,
	        .body_bytes = body_bytes,
	        .header_bytes = FETCH_MAX_HEADERS,
	        .seconds = REQUEST_SECONDS};

	url_fetcher_rest(fetcher);
	fetch_client_submit(fetcher->client, &request, url_wait_done, &wait);
	while (!wait.done)
		g_main_context_iteration(NULL, TRUE);
	fetcher->duration_ms = wait.duration_ms;
	fetcher->answered_us = g_get_monotonic_time();
}

const char *url_error_text(FetchError error)
{
	switch (error) {
	case FETCH_RESOLVE:
		return _("its host is not found");
	case FETCH_REFUSED:
		return _("its address is one of this machine or of a local network");
	case FETCH_CONNECT:
		return _("nobody answers there");
	case FETCH_NO_NETWORK:
		return _("the network cannot be reached");
	case FETCH_TLS:
		return _("there is no secure connection");
	case FETCH_TIMEOUT:
		return _("it does not answer in time");
	case FETCH_TOO_LARGE:
		return _("its answer is too large");
	case FETCH_PROTOCOL:
		return _("its answer is malformed");
	case FETCH_FAILED:
		return _("tarsier-fetch does not run");
	default:
		return _("it cannot be requested");
	}
}

char *url_answer_reason(const UrlAnswer *answer)
{
	if (answer->error == FETCH_OK)
		return g_strdup_printf(_("it answers with status %u"), answer->status);
	const char *text = url_error_text(answer->error);
	bool more = answer->detail && *answer->detail;
	return more ? g_strdup_printf("%s (%s)", text, answer->detail) : g_strdup(text);
}
