/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-driver.c - asks tarsier-fetch for what the lines of its standard input say
 *
 * fetch-driver [--certificates FILE] [--idle MS] [--brief] [--confined] [--launcher]
 *
 * A line "get" or "head", then KEY=VALUE after tabs: id, url, local, etag, since, accept,
 * authorization, wire, body, headers, seconds. For each answer a line: id, error, status, truncated
 * (0, 1), bytes, bytes on the wire, address, total time in us, detail, headers and body in base64,
 * after tabs. --brief prints only a count at the end. --confined: confines itself as the daemon
 * does; --launcher: forks a launcher before. It ends when its input has ended and all answers are
 * there. */
#include <config.h>
#include "common/base/autofd.h"
#include "common/fetch/fetch-client.h"
#include "common/fetch/fetch-launcher.h"
#include "common/sandbox/confine.h"
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	FetchClient *client;
	GString *input;
	bool brief, input_ended;
	unsigned good, failed;
	uint64_t bytes;
} Driver;

typedef struct {
	Driver *driver;
	char *id;
} Asked;

static char *driver_read_body(int body, uint64_t bytes)
{
	g_autofree guchar *buffer = g_malloc(bytes + 1);
	ssize_t got = body >= 0 ? pread(body, buffer, bytes, 0) : 0;
	if (got < 0 || (uint64_t)got != bytes)
		g_error("the body has %zd bytes instead of %" G_GUINT64_FORMAT, got, bytes);
	return g_base64_encode(buffer, bytes);
}

static void driver_print(const char *id, const FetchAnswer *answer, int body)
{
	g_autofree char *headers =
	        g_base64_encode((const guchar *)answer->headers, strlen(answer->headers));
	g_autofree char *text = driver_read_body(body, answer->body_bytes);
	printf("%s\t%s\t%u\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
	       "\t%s\t%" G_GUINT64_FORMAT "\t%s\t%s\t%s\n",
	        id, fetch_error_name(answer->error), answer->status, answer->truncated,
	        answer->body_bytes, answer->wire_bytes, answer->address, answer->total_us,
	        answer->detail, headers, text);
	fflush(stdout);
}

static void driver_on_answer(const FetchAnswer *answer, int body_fd, void *data)
{
	Asked *asked = data;
	Driver *d = asked->driver;
	autofd body = body_fd;
	if (!d->brief)
		driver_print(asked->id, answer, body);
	if (answer->error == FETCH_OK && answer->status == 200)
		d->good++;
	else
		d->failed++;
	d->bytes += answer->body_bytes;
	g_free(asked->id);
	g_free(asked);
}

static const char *driver_value(char **parts, const char *key)
{
	for (; *parts; parts++)
		if (g_str_has_prefix(*parts, key) && (*parts)[strlen(key)] == '=')
			return *parts + strlen(key) + 1;
	return NULL;
}

static uint64_t driver_number(char **parts, const char *key, uint64_t otherwise)
{
	const char *value = driver_value(parts, key);
	return value ? g_ascii_strtoull(value, NULL, 10) : otherwise;
}

static void driver_ask(Driver *d, const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line, "\t", -1);
	FetchRequest request = {.head = strcmp(parts[0], "head") == 0,
	        .url = (char *)driver_value(parts, "url"),
	        .local = (char *)driver_value(parts, "local"),
	        .contact = (char *)driver_value(parts, "contact"),
	        .if_none_match = (char *)driver_value(parts, "etag"),
	        .if_modified_since = (char *)driver_value(parts, "since"),
	        .accept = (char *)driver_value(parts, "accept"),
	        .authorization = (char *)driver_value(parts, "authorization"),
	        .wire_bytes = driver_number(parts, "wire", 4 << 20),
	        .body_bytes = driver_number(parts, "body", 4 << 20),
	        .header_bytes = driver_number(parts, "headers", 16 << 10),
	        .seconds = driver_number(parts, "seconds", 60),
	        .begin_until_ms = driver_number(parts, "until", 0)};
	Asked *asked = g_new0(Asked, 1);
	asked->driver = d;
	asked->id = g_strdup(driver_value(parts, "id"));
	fetch_client_submit(d->client, &request, driver_on_answer, asked);
}

static gboolean driver_on_input(int fd, GIOCondition condition, gpointer data)
{
	Driver *d = data;
	char bytes[65536], *end;
	ssize_t got = read(fd, bytes, sizeof bytes);
	d->input_ended = got <= 0;
	if (got <= 0)
		return G_SOURCE_REMOVE;
	g_string_append_len(d->input, bytes, got);
	while ((end = memchr(d->input->str, '\n', d->input->len))) {
		*end = '\0';
		driver_ask(d, d->input->str);
		g_string_erase(d->input, 0, end + 1 - d->input->str);
	}
	return G_SOURCE_CONTINUE;
}

int main(int argc, char **argv)
{
	Driver d = {.input = g_string_new(NULL)};
	g_autofree char *certificates = NULL;
	int idle_ms = 0;
	gboolean brief = FALSE, confined = FALSE, launches = FALSE;
	const GOptionEntry entries[] = {
	        {"certificates", 0, 0, G_OPTION_ARG_FILENAME, &certificates, NULL, NULL},
	        {"idle", 0, 0, G_OPTION_ARG_INT, &idle_ms, NULL, NULL},
	        {"brief", 0, 0, G_OPTION_ARG_NONE, &brief, NULL, NULL},
	        {"confined", 0, 0, G_OPTION_ARG_NONE, &confined, NULL, NULL},
	        {"launcher", 0, 0, G_OPTION_ARG_NONE, &launches, NULL, NULL}, {NULL}};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, NULL))
		return 2;
	g_autoptr(FetchLauncher) launcher = launches ? fetch_launcher_new(certificates) : NULL;
	if (confined)
		confine(&(Confinement){(const char *const[]){NULL}, NULL});
	d.brief = brief;
	d.client = fetch_client_new(certificates, idle_ms);
	g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, driver_on_input, &d);
	while (!d.input_ended || fetch_client_in_work(d.client) > 0)
		g_main_context_iteration(NULL, TRUE);
	if (d.brief)
		printf("%u %u %" G_GUINT64_FORMAT "\n", d.good, d.failed, d.bytes);
	fetch_client_free(d.client);
	g_string_free(d.input, TRUE);
	return 0;
}
