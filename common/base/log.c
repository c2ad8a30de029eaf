/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/log.h"
#include "common/base/text.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	char *program;
	char **topics; /* from TARSIER_DEBUG; NULL if none */
	bool verbose, journal;
} LogWriter;

static void writer_free(gpointer data)
{
	LogWriter *writer = data;
	g_free(writer->program);
	g_strfreev(writer->topics);
	g_free(writer);
}

static const GLogField *find_field(const GLogField *fields, gsize n, const char *key)
{
	for (gsize i = 0; i < n; i++) {
		if (strcmp(fields[i].key, key) == 0)
			return &fields[i];
	}
	return NULL;
}

static bool topic_is_wanted(const LogWriter *writer, const GLogField *message)
{
	if (!writer->topics || !message || message->length >= 0)
		return false;
	if (g_strv_contains((const char *const *)writer->topics, "all"))
		return true;
	const char *text = message->value;
	const char *colon = strchr(text, ':');
	g_autofree char *topic = colon ? g_strndup(text, colon - text) : NULL;
	return topic && g_strv_contains((const char *const *)writer->topics, topic);
}

static bool log_is_wanted(const LogWriter *writer, GLogLevelFlags level, const GLogField *message)
{
	if (level & G_LOG_LEVEL_DEBUG)
		return topic_is_wanted(writer, message);
	if (level & G_LOG_LEVEL_INFO)
		return writer->verbose;
	return true;
}

static void append_time(GString *line)
{
	int64_t now_us = g_get_monotonic_time();
	g_string_append_printf(line, "[%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT "] ",
	        now_us / G_USEC_PER_SEC, now_us % G_USEC_PER_SEC);
}

static void write_stderr(
        const LogWriter *writer, GLogLevelFlags level, const GLogField *domain, const char *message)
{
	const char *name = domain && domain->value ? domain->value : "";
	g_autoptr(GString) line = g_string_new(writer->program);
	g_string_append(line, ": ");
	if (level & G_LOG_LEVEL_DEBUG)
		append_time(line);
	if (*name && !g_str_has_prefix(name, "tarsier"))
		g_string_append_printf(line, "%s: ", name);
	g_string_append(line, message);
	g_string_append_c(line, '\n');
	if (write(STDERR_FILENO, line->str, line->len) < 0)
		return; /* there is nowhere else to report it */
}

/* Paths come from outside: a message must not be able to forge another log line or to send escape
 * sequences to the terminal. */
static GLogWriterOutput write_log(
        GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
	const LogWriter *writer = data;
	const GLogField *message = find_field(fields, n, "MESSAGE");
	if (!log_is_wanted(writer, level, message))
		return G_LOG_WRITER_HANDLED;

	g_autoptr(GString) safe = g_string_new(NULL);
	if (message)
		text_append_escaped(safe, message->value, message->length);
	if (writer->journal) {
		g_autofree GLogField *copy = g_memdup2(fields, n * sizeof(*fields));
		for (gsize i = 0; i < n; i++) {
			if (&fields[i] == message)
				copy[i] = (GLogField){"MESSAGE", safe->str, -1};
		}
		if (g_log_writer_journald(level, copy, n, NULL) == G_LOG_WRITER_HANDLED)
			return G_LOG_WRITER_HANDLED;
	}
	write_stderr(writer, level, find_field(fields, n, "GLIB_DOMAIN"), safe->str);
	return G_LOG_WRITER_HANDLED;
}

void log_init(const char *program, gboolean verbose)
{
	const char *topics = g_getenv("TARSIER_DEBUG");
	LogWriter *writer = g_new0(LogWriter, 1);
	writer->program = g_strdup(program);
	writer->topics = topics && *topics ? g_strsplit(topics, ",", -1) : NULL;
	writer->verbose = verbose;
	writer->journal = g_log_writer_is_journald(STDERR_FILENO);
	g_log_set_writer_func(write_log, writer, writer_free);
}
