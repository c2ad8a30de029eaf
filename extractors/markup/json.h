/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - the strings of a JSON text, for the readers of JSON, notebooks and mind maps */
#pragma once
#include "extractors/markup/markup.h"

/* Appends a string, with its escapes resolved. p: after the opening quote. Returns where the file
 * continues. Line ends of the file become vertical tabs. */
const char *json_read_string(GString *out, const char *p, const char *end);
/* Adds a string to the text, without encoded data and colours. It is changed. */
void json_put_string(Markup *m, GString *string);
/* Skips a string at its opening quote. The ends of lines stay in the text. */
void json_skip_string(Markup *m);
/* Passes over white space and commas. The ends of lines stay in the text. */
bool json_next_is(Markup *m, char c);
/* True for the key of a value that is no text, in Jupyter's notation: "image/png". */
bool json_names_bytes(const GString *key);
/* Skips the value after such a key, if it is encoded: a string, or a list of strings, its lines. */
void json_skip_value(Markup *m);
/* True if the string that was read is a key: a colon follows. */
bool json_is_key(const Markup *m);
/* Skips the value of any kind after a key. */
void json_skip_any(Markup *m);
