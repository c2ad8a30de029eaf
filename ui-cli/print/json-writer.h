/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json-writer.h - writes JSON Lines (RFC 8259) to a string
 *
 * Commas are added automatically. key is NULL inside an array and at the top level. In text that is
 * not UTF-8, each invalid byte becomes U+FFFD; json_path() adds the exact bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

void json_open(GString *out, const char *key, char bracket); /* '{' or '[' */
void json_close(GString *out, char bracket); /* '}' or ']' */
void json_text(GString *out, const char *key, const char *value); /* NULL becomes null */
void json_int(GString *out, const char *key, int64_t value);
void json_unsigned(GString *out, const char *key, uint64_t value);
void json_double(GString *out, const char *key, double value);
void json_bool(GString *out, const char *key, bool value);
void json_nil(GString *out, const char *key);
/* a value that is not positive becomes null */
void json_count(GString *out, const char *key, int64_t value);
/* Appends "path" and "path_b64"; the second is null if the path is UTF-8. */
void json_path(GString *out, const char *path);
/* Appends KEY, and KEY_b64 (base64) only if the bytes are not UTF-8. */
void json_bytes(GString *out, const char *key, const char *bytes);
/* "YYYY-MM-DDTHH:MM:SSZ"; a year outside of 1 to 9999 and, with zero_is_null, 0 become null. */
void json_time(GString *out, const char *key, int64_t seconds, bool zero_is_null);
/* Lower-case hexadecimal digits; null without data. */
void json_hex(GString *out, const char *key, const uint8_t *data, size_t length);
