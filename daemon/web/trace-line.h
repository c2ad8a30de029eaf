/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace-line.h - one line of a trace: a JSON object (RFC 8259) of strings, numbers, true, false,
 * and lists of strings or of numbers */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct TraceLine TraceLine;

/* Reads a line of UTF-8 without its end. NULL: it is not such an object; *reason_r gets a static,
 * untranslated clause. The caller frees it. */
TraceLine *trace_line_parse(const char *text, size_t length, const char **reason_r);
void trace_line_free(TraceLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceLine, trace_line_free)

bool trace_line_has(const TraceLine *line, const char *name);
/* The value, which lives as long as the line; the preset if it is absent or of another type. */
const char *trace_line_text(const TraceLine *line, const char *name);
double trace_line_number(const TraceLine *line, const char *name, double preset);
bool trace_line_flag(const TraceLine *line, const char *name);
/* NULL: it is absent. Lists of double and of char *. */
const GArray *trace_line_numbers(const TraceLine *line, const char *name);
const GPtrArray *trace_line_texts(const TraceLine *line, const char *name);
