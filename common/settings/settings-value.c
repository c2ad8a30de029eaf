/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/settings-value.h"
#include "common/settings/conffile.h"
#include "common/base/glob.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "common/base/web-agent.h"
#include <string.h>

typedef struct {
	const char *name;
	int64_t factor;
} SettingUnit;

static const SettingUnit size_units[] = {{"", 1}, {"B", 1}, {"k", 1000}, {"kB", 1000}, {"K", 1000},
        {"KB", 1000}, {"M", 1000000}, {"MB", 1000000}, {"G", 1000000000}, {"GB", 1000000000},
        {"Ki", 1 << 10}, {"KiB", 1 << 10}, {"Mi", 1 << 20}, {"MiB", 1 << 20}, {"Gi", 1 << 30},
        {"GiB", 1 << 30}, {"Ti", INT64_C(1) << 40}, {"TiB", INT64_C(1) << 40}, {NULL}};
static const SettingUnit time_units[] = {
        {"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}, {NULL}};
static const SettingUnit no_units[] = {{"", 1}, {NULL}};

static const SettingUnit *units_of(SettingType type)
{
	if (type == SETTING_SIZE)
		return size_units;
	return type == SETTING_TIME ? time_units : no_units;
}

static bool parse_number(const char *text, const SettingUnit *units, int64_t *number_r)
{
	char *end;
	if (!g_ascii_isdigit(*text))
		return false;
	guint64 number = g_ascii_strtoull(text, &end, 10); /* G_MAXUINT64 when it is too large */
	while (*end == ' ')
		end++;
	for (const SettingUnit *unit = units; unit->name; unit++) {
		if (strcmp(end, unit->name) != 0)
			continue;
		if (number > (guint64)(G_MAXINT64 / unit->factor))
			return false;
		*number_r = number * unit->factor;
		return true;
	}
	return false;
}

static bool parse_bool(const char *text, int64_t *number_r)
{
	static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_ascii_strcasecmp(text, words[i]) == 0) {
			*number_r = i % 2;
			return true;
		}
	}
	return false;
}

enum { MAX_ITEMS = 1000, MAX_ITEM_BYTES = 4096 };

static bool word_is_allowed(const SettingKey *key, const char *word)
{
	if (!key->words)
		return strlen(word) <= MAX_ITEM_BYTES;
	g_auto(GStrv) words = g_strsplit(key->words, " ", -1);
	return g_strv_contains((const char *const *)words, word);
}

/* The lists of [web] are patterns of URLs. */
static bool holds_patterns(const SettingKey *key)
{
	return key->type == SETTING_LIST && strcmp(key->section, "web") == 0;
}

static bool is_pattern(const char *item)
{
	g_autoptr(GlobSet) set = glob_set_new(GLOB_SQLITE);
	return g_utf8_validate(item, -1, NULL) && glob_set_add(set, item);
}

static bool parse_list(const SettingKey *key, SettingValue *value, GError **error)
{
	value->list = conffile_unescape_list(value->text, error);
	for (char **item = value->list; item && *item; item++) {
		if (!word_is_allowed(key, *item) || (holds_patterns(key) && !is_pattern(*item)))
			return false;
	}
	return value->list && g_strv_length(value->list) <= MAX_ITEMS;
}

/* It is sent to other machines as part of a header. */
static bool holds_contact(const SettingKey *key)
{
	return strcmp(key->section, "web") == 0 && strcmp(key->name, "contact") == 0;
}

static bool parse_string(const SettingKey *key, SettingValue *value, GError **error)
{
	value->string = conffile_unescape(value->text, error);
	if (value->string && holds_contact(key))
		return *value->string == '\0' || web_contact_is_valid(value->string);
	return value->string && word_is_allowed(key, value->string);
}

static bool parse_typed(const SettingKey *key, SettingValue *value, GError **error)
{
	switch (key->type) {
	case SETTING_BOOL:
		return parse_bool(value->text, &value->number);
	case SETTING_INT:
	case SETTING_SIZE:
	case SETTING_TIME:
		return parse_number(value->text, units_of(key->type), &value->number) &&
		       value->number >= key->min && value->number <= key->max;
	case SETTING_STRING:
		return parse_string(key, value, error);
	case SETTING_LIST:
		return parse_list(key, value, error);
	}
	return false;
}

char *setting_value_format(SettingType type, int64_t number)
{
	const SettingUnit *best = NULL;
	for (const SettingUnit *unit = units_of(type); unit->name; unit++) {
		bool binary = type != SETTING_SIZE || unit->factor == 1 || strchr(unit->name, 'i');
		if (binary && number > 0 && number % unit->factor == 0)
			best = unit;
	}
	if (!best || !*best->name)
		return g_strdup_printf("%" G_GINT64_FORMAT, number);
	return g_strdup_printf("%" G_GINT64_FORMAT " %s", number / best->factor, best->name);
}

/* Describes the allowed values for the user. */
static char *describe_allowed(const SettingKey *key)
{
	g_autofree char *min = setting_value_format(key->type, key->min);
	g_autofree char *max = setting_value_format(key->type, key->max);
	switch (key->type) {
	case SETTING_BOOL:
		return g_strdup(_("true or false"));
	case SETTING_INT:
		return g_strdup_printf(_("a number from %s to %s"), min, max);
	case SETTING_SIZE:
		return g_strdup_printf(_("a size from %s to %s (units k M G, Ki Mi Gi)"), min, max);
	case SETTING_TIME:
		return g_strdup_printf(_("a time from %s to %s (units s min h d w)"), min, max);
	case SETTING_LIST:
	case SETTING_STRING:
		break;
	}
	if (holds_patterns(key))
		return g_strdup_printf(_("a list of at most %d patterns, each of at most %d bytes"),
		        MAX_ITEMS, MAX_ITEM_BYTES);
	if (holds_contact(key))
		return g_strdup_printf(
		        _("a mail address or a URL of at most %d bytes"), WEB_CONTACT_MOST);
	if (!key->words)
		return g_strdup_printf(_("a list of at most %d items, each of at most %d bytes"),
		        MAX_ITEMS, MAX_ITEM_BYTES);
	if (key->type == SETTING_LIST)
		return g_strdup_printf(_("a list, separated by ;, of: %s"), key->words);
	return g_strdup_printf(_("one of: %s"), key->words);
}

static void settings_explain(const SettingKey *key, const char *text, GError **error)
{
	enum { SHOWN_BYTES = 60 };
	g_autofree char *valid = text_to_utf8(text, -1);
	g_autofree char *allowed = describe_allowed(key);
	g_autoptr(GString) shown = g_string_new(NULL);
	text_append_escaped(shown, valid, text_clip(valid, strlen(valid), SHOWN_BYTES));
	g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
	        _("%s.%s: \"%s\" is not valid; allowed: %s"), key->section, key->name, shown->str,
	        allowed);
}

SettingValue *setting_value_parse(const SettingKey *key, const char *text, GError **error)
{
	g_autoptr(SettingValue) value = g_new0(SettingValue, 1);
	g_autoptr(GError) escape_error = NULL;
	value->text = g_strdup(text);
	if (parse_typed(key, value, &escape_error))
		return g_steal_pointer(&value);
	if (!escape_error) {
		settings_explain(key, text, error);
		return NULL;
	}
	g_propagate_prefixed_error(
	        error, g_steal_pointer(&escape_error), "%s.%s: ", key->section, key->name);
	return NULL;
}

void setting_value_free(SettingValue *value)
{
	if (!value)
		return;
	g_free(value->text);
	g_free(value->origin);
	g_free(value->string);
	g_strfreev(value->list);
	g_free(value);
}

const char *setting_value_added(const SettingKey *key, const char *text)
{
	if (key->type != SETTING_LIST || *text != '+')
		return NULL;
	text += 1 + strspn(text + 1, " \t");
	if (*text == '\0')
		return text;
	return *text == ';' ? text + 1 : NULL;
}
