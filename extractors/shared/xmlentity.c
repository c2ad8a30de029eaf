/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/xmlentity.h"
#include <glib.h>
#include <libxml/HTMLparser.h>
#include <stdbool.h>
#include <string.h>

enum {
	NAME_MAX_BYTES = 64,
	VALUE_MAX_BYTES = 1024,
	DECLARATIONS_MAX = 1000,
	GROWTH_MAX = 1 << 20,
	PROLOG_BYTES = 256 << 10,
};

typedef struct {
	const char *at, *end;
	GHashTable *declared; /* name -> replacement text */
	GString *out;
	size_t room; /* bytes by which the text may still grow */
} Replacer;

static bool is_name_byte(char c)
{
	return g_ascii_isalnum(c) || c == '.' || c == '-' || c == '_' || c == ':' || (c & 0x80);
}

static size_t name_length(const char *at, const char *end)
{
	size_t n = 0;
	while (at + n < end && n < NAME_MAX_BYTES && is_name_byte(at[n]))
		n++;
	return n;
}

static const char *xmlentity_skip_space(const char *at, const char *end)
{
	while (at < end && g_ascii_isspace(*at))
		at++;
	return at;
}

/* Returns the value if it contains only text and numeric references, with its quotes escaped for
 * use in an attribute. NULL: anything else. The caller frees it. */
static char *plain_value(const char *value, size_t length)
{
	g_autoptr(GString) plain = g_string_new(NULL);
	for (size_t i = 0; i < length; i++) {
		bool number = value[i] == '&' && i + 1 < length && value[i + 1] == '#';
		if (value[i] == '<' || value[i] == '%' || (value[i] == '&' && !number))
			return NULL;
		if (value[i] == '"' || value[i] == '\'')
			g_string_append(plain, value[i] == '"' ? "&quot;" : "&apos;");
		else
			g_string_append_c(plain, value[i]);
	}
	return g_string_free(g_steal_pointer(&plain), FALSE);
}

/* at: after "<!ENTITY", where a name and a quoted value follow. */
static void xmlentity_declare(Replacer *r, const char *at, const char *end)
{
	const char *name = xmlentity_skip_space(at, end);
	size_t n = name_length(name, end);
	const char *quote = xmlentity_skip_space(name + n, end);
	if (n == 0 || quote >= end || (*quote != '"' && *quote != '\''))
		return;
	const char *close = memchr(quote + 1, *quote, MIN(end - quote - 1, VALUE_MAX_BYTES));
	char *value = close ? plain_value(quote + 1, close - quote - 1) : NULL;
	if (value)
		g_hash_table_insert(r->declared, g_strndup(name, n), value);
}

/* Reads the entity declarations before the first element. */
static void read_declarations(Replacer *r)
{
	static const char mark[] = "<!ENTITY";
	const char *end = r->at + MIN(r->end - r->at, PROLOG_BYTES), *at = r->at;
	for (unsigned i = 0; i < DECLARATIONS_MAX; i++) {
		at = memmem(at, end - at, mark, sizeof mark - 1);
		if (!at)
			return;
		at += sizeof mark - 1;
		xmlentity_declare(r, at, end);
	}
}

static bool is_predefined(const char *name)
{
	static const char *const names[] = {"lt", "gt", "amp", "quot", "apos", NULL};
	return g_strv_contains(names, name);
}

/* NULL: the name is unknown. The caller frees it. */
static char *xmlentity_value_of(Replacer *r, const char *name)
{
	if (!r->declared) {
		r->declared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
		read_declarations(r);
	}
	const char *value = g_hash_table_lookup(r->declared, name);
	if (value)
		return g_strdup(value);
	const htmlEntityDesc *known = htmlEntityLookup(BAD_CAST name);
	return known ? g_strdup_printf("&#%u;", known->value) : NULL;
}

/* Replaces the reference at `at`. Returns its length, or 0 if it stays. */
static size_t xmlentity_replace(Replacer *r, const char *copied, const char *at)
{
	size_t n = name_length(at + 1, r->end);
	if (n == 0 || at + 1 + n >= r->end || at[1 + n] != ';')
		return 0;
	g_autofree char *name = g_strndup(at + 1, n);
	g_autofree char *value = is_predefined(name) ? NULL : xmlentity_value_of(r, name);
	if (!value || strlen(value) > r->room)
		return 0;
	r->room -= strlen(value);
	if (!r->out)
		r->out = g_string_sized_new(r->end - r->at + 1024);
	g_string_append_len(r->out, copied, at - copied);
	g_string_append(r->out, value);
	return n + 2;
}

char *xml_entities_replaced(const char *data, size_t size, size_t *length_r)
{
	Replacer r = {.at = data, .end = data + size, .room = GROWTH_MAX};
	const char *at = data, *copied = data, *next = data;
	bool sections = size > 0 && memmem(data, size, "<![CDATA[", 9);
	while (at < r.end) {
		if (next <= at)
			next = memchr(at, '&', r.end - at);
		if (!next)
			break;
		const char *section = sections ? memmem(at, next - at, "<![CDATA[", 9) : NULL;
		if (section) {
			const char *close = memmem(section, r.end - section, "]]>", 3);
			sections = close != NULL; /* without an end here, no later one has an end */
			at = close ? close + 3 : section + 1;
			continue;
		}
		size_t taken = xmlentity_replace(&r, copied, next);
		at = next + MAX(taken, 1);
		copied = taken > 0 ? at : copied;
	}
	if (r.declared)
		g_hash_table_unref(r.declared);
	if (!r.out)
		return NULL;
	g_string_append_len(r.out, copied, r.end - copied);
	*length_r = r.out->len;
	return g_string_free(r.out, FALSE);
}
