/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/json-value.h"
#include <string.h>

struct JsonValue {
	char kind; /* '{', '[', '"', '0' for numbers, 'n' for null, true and false */
	char *text; /* of strings and numbers */
	GPtrArray *keys; /* char *, of objects */
	GPtrArray *values; /* JsonValue *, of objects and arrays */
};

void json_value_free(JsonValue *value)
{
	if (!value)
		return;
	g_free(value->text);
	g_clear_pointer(&value->keys, g_ptr_array_unref);
	g_clear_pointer(&value->values, g_ptr_array_unref);
	g_free(value);
}

static void json_skip_blank(JsonText *json)
{
	while (json->at < json->end && strchr(" \t\r\n", *json->at) && *json->at)
		json->at++;
}

bool json_take(JsonText *json, char sign)
{
	json_skip_blank(json);
	if (json->bad || json->at >= json->end || *json->at != sign)
		return false;
	json->at++;
	return true;
}

/* ---- strings */

static int json_take_hex(JsonText *json)
{
	int number = 0;
	for (unsigned i = 0; i < 4; i++) {
		int digit = json->at < json->end ? g_ascii_xdigit_value(*json->at) : -1;
		if (digit < 0) {
			json->bad = true;
			return 0;
		}
		number = number << 4 | digit;
		json->at++;
	}
	return number;
}

/* After "\u"; half of a pair without the other one is U+FFFD. */
static gunichar json_take_unicode(JsonText *json)
{
	gunichar high = json_take_hex(json);
	if (high < 0xd800 || high > 0xdfff)
		return high > 0 ? high : 0xfffd;
	bool pair = high < 0xdc00 && json->end - json->at >= 6 && json->at[0] == '\\' &&
	            json->at[1] == 'u';
	if (!pair)
		return 0xfffd;
	const char *before = json->at;
	json->at += 2;
	gunichar low = json_take_hex(json);
	if (low >= 0xdc00 && low <= 0xdfff)
		return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	json->at = before;
	return 0xfffd;
}

static void json_take_escape(JsonText *json, GString *out)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	char c = json->at < json->end ? *json->at++ : '\0';
	const char *name = c ? strchr(names, c) : NULL;
	if (c == 'u')
		g_string_append_unichar(out, json_take_unicode(json));
	else if (name)
		g_string_append_c(out, values[name - names]);
	else
		json->bad = true;
}

char *json_take_string(JsonText *json)
{
	if (!json_take(json, '"'))
		return NULL;
	GString *out = g_string_new(NULL);
	while (!json->bad && json->at < json->end && *json->at != '"') {
		if (*json->at == '\\') {
			json->at++;
			json_take_escape(json, out);
		} else {
			g_string_append_c(out, *json->at++);
		}
	}
	json->bad |= json->at >= json->end;
	json->at += json->at < json->end;
	return g_string_free(out, json->bad);
}

/* ---- other values */

static JsonValue *json_take_at(JsonText *json, unsigned depth);

static void json_take_members(JsonText *json, JsonValue *value, unsigned depth)
{
	if (json_take(json, '}'))
		return;
	do {
		char *key = json_take_string(json);
		json->bad |= !key || !json_take(json, ':');
		JsonValue *member = json->bad ? NULL : json_take_at(json, depth + 1);
		if (member) {
			g_ptr_array_add(value->keys, key);
			g_ptr_array_add(value->values, member);
		} else {
			g_free(key);
		}
	} while (!json->bad && json_take(json, ','));
	json->bad |= !json_take(json, '}');
}

static void json_take_elements(JsonText *json, JsonValue *value, unsigned depth)
{
	if (json_take(json, ']'))
		return;
	do {
		JsonValue *element = json_take_at(json, depth + 1);
		if (element)
			g_ptr_array_add(value->values, element);
	} while (!json->bad && json_take(json, ','));
	json->bad |= !json_take(json, ']');
}

/* Numbers and the three names. */
static void json_take_word(JsonText *json, JsonValue *value)
{
	const char *begin = json->at;
	while (json->at < json->end && (g_ascii_isalnum(*json->at) || strchr("+-.", *json->at)) &&
	        *json->at)
		json->at++;
	value->text = g_strndup(begin, json->at - begin);
	bool number = g_ascii_isdigit(*value->text) || *value->text == '-';
	value->kind = number ? '0' : 'n';
	json->bad |= !number && strcmp(value->text, "null") != 0 &&
	             strcmp(value->text, "true") != 0 && strcmp(value->text, "false") != 0;
}

static JsonValue *json_take_at(JsonText *json, unsigned depth)
{
	json_skip_blank(json);
	json->bad |=
	        json->at >= json->end || depth > JSON_MAX_DEPTH || ++json->values > JSON_MAX_VALUES;
	if (json->bad)
		return NULL;
	g_autoptr(JsonValue) value = g_new0(JsonValue, 1);
	value->kind = *json->at;
	if (value->kind == '"') {
		value->text = json_take_string(json);
	} else if (value->kind == '{' || value->kind == '[') {
		json->at++;
		value->values = g_ptr_array_new_with_free_func((GDestroyNotify)json_value_free);
		value->keys = g_ptr_array_new_with_free_func(g_free);
		if (value->kind == '{')
			json_take_members(json, value, depth);
		else
			json_take_elements(json, value, depth);
	} else {
		json_take_word(json, value);
	}
	return json->bad ? NULL : g_steal_pointer(&value);
}

JsonValue *json_take_value(JsonText *json)
{
	return json_take_at(json, 0);
}

const JsonValue *json_member(const JsonValue *value, const char *key)
{
	if (!value || value->kind != '{')
		return NULL;
	for (guint i = 0; i < value->keys->len; i++)
		if (strcmp(value->keys->pdata[i], key) == 0)
			return value->values->pdata[i];
	return NULL;
}

const JsonValue *json_element(const JsonValue *value, unsigned i)
{
	bool has = value && value->kind == '[' && i < value->values->len;
	return has ? value->values->pdata[i] : NULL;
}

const char *json_string(const JsonValue *value)
{
	return value && (value->kind == '"' || value->kind == '0') ? value->text : NULL;
}
