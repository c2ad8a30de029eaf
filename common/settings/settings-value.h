/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings-value.h - one value of the configuration: from its text to its type */
#pragma once
#include "common/settings/settings.h"

typedef struct {
	char *text; /* in file syntax */
	char *origin; /* "FILE:LINE"; NULL: built in */
	int64_t number; /* BOOL, INT, SIZE, TIME */
	char *string; /* STRING */
	char **list; /* LIST, NULL-terminated */
} SettingValue;

/* NULL with SETTINGS_ERROR_VALUE; the message names the key and what is allowed, not the place. */
SettingValue *setting_value_parse(const SettingKey *key, const char *text, GError **error);
void setting_value_free(SettingValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SettingValue, setting_value_free)

/* The files FILE.d/NAME.conf in the order in which they are read, char *; NULL with
 * SETTINGS_ERROR_FILE. */
GPtrArray *settings_drop_ins(const char *file, GError **error);
