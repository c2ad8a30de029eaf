/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings-value.h - one value of the configuration: its text and its typed form */
#pragma once
#include "common/settings/settings.h"

typedef struct {
	char *text; /* in the syntax of the file */
	char *origin; /* "FILE:LINE"; NULL for the built-in value */
	int64_t number; /* BOOL, INT, SIZE, TIME */
	char *string; /* STRING */
	char **list; /* LIST, NULL-terminated */
} SettingValue;

/* Parses a value. NULL with SETTINGS_ERROR_VALUE; the message names the key and what is allowed,
 * but not the place. */
SettingValue *setting_value_parse(const SettingKey *key, const char *text, GError **error);
void setting_value_free(SettingValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SettingValue, setting_value_free)

/* A number as a file has it: bytes (SIZE) or seconds (TIME) in the largest unit that divides them
 * without remainder. The caller frees it. */
char *setting_value_format(SettingType type, int64_t number);

/* For the value of a list whose first item is "+": the items after it, which are added to the list
 * of the earlier files. NULL for all others. Borrowed. */
const char *setting_value_added(const SettingKey *key, const char *text);

/* Returns the files FILE.d/NAME.conf as char *, in the order in which they are read; NULL with
 * SETTINGS_ERROR_FILE. */
GPtrArray *settings_drop_ins(const char *file, GError **error);
