/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/witness.h"
#include "common/rules/rules-table.h"
#include <glib.h>
#include <string.h>

typedef bool (*WitnessMatch)(const char *witness, size_t length, const char *text);

static bool any_witness(const char *witnesses, WitnessMatch match, const char *text)
{
	while (witnesses) {
		const char *end = strchrnul(witnesses, '|');
		if (match(witnesses, end - witnesses, text))
			return true;
		witnesses = *end ? end + 1 : NULL;
	}
	return false;
}

static bool has_component(const char *witness, size_t length, const char *name)
{
	const char *slash = memchr(witness, '/', length);
	size_t first = slash ? (size_t)(slash - witness) : length, rest = slash ? first + 1 : 0;
	size_t name_length = strlen(name);
	return (name_length == first && memcmp(witness, name, first) == 0) ||
	       (name_length == length - rest && memcmp(witness + rest, name, name_length) == 0);
}

/* The entry is the witness, or a directory on the path to it. */
static bool is_on_path(const char *witness, size_t length, const char *entry)
{
	size_t entry_length = strlen(entry);
	return entry_length <= length && memcmp(witness, entry, entry_length) == 0 &&
	       (entry_length == length || witness[entry_length] == '/');
}

static bool rule_has_name(const SkipRule *rule, const char *dir)
{
	switch (rule->match) {
	case NAME_BEGINS:
		return g_str_has_prefix(dir, rule->name);
	case NAME_ENDS:
		return g_str_has_suffix(dir, rule->name);
	default:
		return strcmp(dir, rule->name) == 0;
	}
}

bool witness_has_name(const char *name)
{
	for (const SkipRule *rule = skip_rules; rule->name; rule++) {
		if (any_witness(rule->beside, has_component, name) ||
		        any_witness(rule->inside, has_component, name))
			return true;
	}
	return false;
}

bool witness_concerns(const char *dir, WitnessSide side, const char *entry)
{
	for (const SkipRule *rule = skip_rules; rule->name; rule++) {
		const char *witnesses = side == WITNESS_BESIDE ? rule->beside : rule->inside;
		if (witnesses && (!dir || rule_has_name(rule, dir)) &&
		        any_witness(witnesses, is_on_path, entry))
			return true;
	}
	return false;
}
