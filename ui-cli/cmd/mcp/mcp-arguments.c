/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include <string.h>

static bool mcp_arguments_is_of(const json_t *value, const char *type)
{
	if (g_strcmp0(type, "string") == 0)
		return json_is_string(value);
	if (g_strcmp0(type, "integer") == 0)
		return json_is_integer(value);
	return g_strcmp0(type, "boolean") == 0 && json_is_boolean(value);
}

/* type: a name, or an array of names. */
static bool mcp_arguments_has_type(const json_t *value, const json_t *type)
{
	size_t i;
	json_t *one;
	json_array_foreach(
	        type, i, one) if (mcp_arguments_is_of(value, json_string_value(one))) return true;
	return mcp_arguments_is_of(value, json_string_value(type));
}

static bool mcp_arguments_is_among(const json_t *value, const json_t *list)
{
	size_t i;
	json_t *one;
	json_array_foreach(list, i, one) if (json_equal(value, one)) return true;
	return false;
}

static char *mcp_arguments_number_fault(const json_t *rule, const char *name, json_int_t value)
{
	const json_t *low = json_object_get(rule, "minimum"),
	             *high = json_object_get(rule, "maximum");
	if ((!low || value >= json_integer_value(low)) &&
	        (!high || value <= json_integer_value(high)))
		return NULL;
	return g_strdup_printf("\"%s\" must be from %" JSON_INTEGER_FORMAT
	                       " to %" JSON_INTEGER_FORMAT,
	        name, json_integer_value(low), json_integer_value(high));
}

static char *mcp_arguments_text_fault(const json_t *rule, const char *name, size_t length)
{
	const json_t *most = json_object_get(rule, "maxLength"),
	             *least = json_object_get(rule, "minLength");
	if (least && length < (size_t)json_integer_value(least))
		return g_strdup_printf("\"%s\" is empty", name);
	if (most && length > (size_t)json_integer_value(most))
		return g_strdup_printf("\"%s\" is longer than %" JSON_INTEGER_FORMAT " bytes", name,
		        json_integer_value(most));
	return NULL;
}

static char *mcp_arguments_value_fault(const json_t *rule, const char *name, const json_t *value)
{
	const json_t *among = json_object_get(rule, "enum"), *type = json_object_get(rule, "type");
	if (!mcp_arguments_has_type(value, type)) {
		g_autofree char *wanted = json_dumps(type, JSON_ENCODE_ANY | JSON_COMPACT);
		return g_strdup_printf("\"%s\" must be of type %s", name, wanted);
	}
	if (among && !mcp_arguments_is_among(value, among)) {
		g_autofree char *wanted = json_dumps(among, JSON_ENCODE_ANY);
		return g_strdup_printf("\"%s\" must be one of %s", name, wanted);
	}
	if (json_is_integer(value))
		return mcp_arguments_number_fault(rule, name, json_integer_value(value));
	return json_is_string(value)
	               ? mcp_arguments_text_fault(rule, name, json_string_length(value))
	               : NULL;
}

static char *mcp_arguments_unknown(const char *name)
{
	g_autofree char *shown = g_utf8_substring(name, 0, MIN(g_utf8_strlen(name, -1), 40));
	return g_strdup_printf("there is no argument \"%s\"", shown);
}

char *mcp_arguments_fault(const json_t *schema, const json_t *arguments)
{
	const json_t *rules = json_object_get(schema, "properties");
	const char *name;
	size_t i;
	json_t *value;
	json_object_foreach((json_t *)arguments, name, value)
	{
		const json_t *rule = json_object_get(rules, name);
		char *fault = rule ? mcp_arguments_value_fault(rule, name, value)
		                   : mcp_arguments_unknown(name);
		if (fault)
			return fault;
	}
	json_array_foreach(json_object_get(schema, "required"), i,
	        value) if (!json_object_get(arguments,
	                           json_string_value(
	                                   value))) return g_strdup_printf("\"%s\" is missing",
	        json_string_value(value));
	return NULL;
}

const char *mcp_argument_text(const json_t *arguments, const char *name)
{
	return json_string_value(json_object_get(arguments, name));
}

int64_t mcp_argument_number(const json_t *arguments, const char *name, int64_t preset)
{
	const json_t *value = json_object_get(arguments, name);
	return value ? json_integer_value(value) : preset;
}

bool mcp_argument_flag(const json_t *arguments, const char *name)
{
	return json_is_true(json_object_get(arguments, name));
}
