/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json-writer.h - JSON Lines, one value after the other onto a string (RFC 8259)
 *
 * Commas come by themselves. key NULL: inside an array or at the top. Texts that are not UTF-8 get
 * U+FFFD for each bad byte; json_path() adds the exact bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

void json_open(GString *out, const char *key, char bracket); /* '{' or '[' */
void json_close(GString *out, char bracket); /* '}' or ']' */
void json_text(GString *out, const char *key, const char *value); /* NULL: null */
void json_int(GString *out, const char *key, int64_t value);
void json_unsigned(GString *out, const char *key, uint64_t value);
void json_double(GString *out, const char *key, double value);
void json_bool(GString *out, const char *key, bool value);
void json_null(GString *out, const char *key);
/* null for what is not positive */
void json_count(GString *out, const char *key, int64_t value);
/* "path" and "path_b64": the second is null where the first says it all. */
void json_path(GString *out, const char *path);
/* KEY, and KEY_b64 (base64) only if the bytes are not UTF-8. */
void json_bytes(GString *out, const char *key, const char *bytes);
/* "YYYY-MM-DDTHH:MM:SSZ"; 0 is null when zero_is_null. */
void json_time(GString *out, const char *key, int64_t seconds, bool zero_is_null);
/* Lower-case hexadecimal, or null without data. */
void json_hex(GString *out, const char *key, const uint8_t *data, size_t length);
