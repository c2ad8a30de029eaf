/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json-value.h - reads values of JSON (RFC 8259), piece by piece */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { JSON_MAX_DEPTH = 32, JSON_MAX_VALUES = 1 << 20 };

/* The text that is read. bad: it is not JSON from here on, or exceeds a limit. */
typedef struct {
	const char *at, *end;
	unsigned values; /* read so far; set it to 0 to read another JSON_MAX_VALUES */
	bool bad;
} JsonText;

typedef struct JsonValue JsonValue;

/* Skips white space and takes the sign. False: something else follows. */
bool json_take(JsonText *json, char sign);
/* Takes a string with its quotes. NULL: there is none. The caller frees it. */
char *json_take_string(JsonText *json);
/* Takes any value. NULL if bad. */
JsonValue *json_take_value(JsonText *json);
void json_value_free(JsonValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(JsonValue, json_value_free)

/* The member of an object; NULL: absent, or value is not an object. value may be NULL. Borrowed. */
const JsonValue *json_member(const JsonValue *value, const char *key);
/* Element i of an array; NULL: there is none. Borrowed. */
const JsonValue *json_element(const JsonValue *value, unsigned i);
/* A string, or a number as it is written; NULL: it is none. Borrowed. */
const char *json_string(const JsonValue *value);
