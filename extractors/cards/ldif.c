/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/cards/ldif.h"
#include "extractors/cards/card-line.h"
#include <string.h>

typedef struct {
	Sink *sink;
	const char *at, *end; /* the unread text */
	GString *line; /* unfolded */
	GPtrArray *values; /* char *: those of the entry, for people */
	char *name; /* the heading of the entry; NULL: none yet */
	int name_rank; /* the place in naming[] of the attribute that it has */
	bool titled;
} Ldif;

/* The attribute that names an entry: the first of these that it has. */
static const char *const naming[] = {"displayname", "cn", "o", "ou", "mail", "description", NULL};

/* Values for programs, and those that nobody wants to find. */
static const char *const machine_attributes[] = {"objectclass", "version", "changetype",
        "userpassword", "authpassword", "jpegphoto", "photo", "audio", "usercertificate",
        "usersmimecertificate", "cacertificate", "entryuuid", "entrycsn", "entrydn", "objectguid",
        "objectsid", "creatorsname", "createtimestamp", "modifiersname", "modifytimestamp",
        "whencreated", "whenchanged", "structuralobjectclass", "subschemasubentry",
        "hassubordinates", "contextcsn", "uidnumber", "gidnumber", "mozillausehtmlmail", NULL};

/* ---- lines */

/* A line that begins with a space continues the one before it. */
static bool ldif_next_line(Ldif *ldif)
{
	g_string_truncate(ldif->line, 0);
	if (ldif->at >= ldif->end)
		return false;
	card_take_physical(&ldif->at, ldif->end, ldif->line);
	while (ldif->at < ldif->end && *ldif->at == ' ') {
		ldif->at++;
		card_take_physical(&ldif->at, ldif->end, ldif->line);
	}
	return true;
}

/* ---- values */

/* Returns the value after the colon; NULL: it is no text. The caller frees it. */
static char *ldif_value(const char *after_colon)
{
	if (*after_colon == '<') /* the URL of a file that has the value */
		return NULL;
	if (*after_colon != ':')
		return g_strstrip(g_strdup(after_colon));
	gsize length;
	g_autofree char *encoded = g_strstrip(g_strdup(after_colon + 1));
	char *value = (char *)g_base64_decode(encoded, &length);
	char *text =
	        value && g_utf8_validate_len(value, length, NULL) ? g_strndup(value, length) : NULL;
	g_free(value);
	return text ? g_strstrip(text) : NULL;
}

/* In lower case, without its options: "cn;lang-de" is "cn". The caller frees it. */
static char *attribute_name(const char *line, size_t length)
{
	return g_ascii_strdown(line, MIN(length, strcspn(line, ";")));
}

static int naming_rank(const char *attribute)
{
	for (int i = 0; naming[i]; i++)
		if (strcmp(naming[i], attribute) == 0)
			return i;
	return -1;
}

/* A better name takes the place of the one that the entry has, which becomes a value. */
static void ldif_keep(Ldif *ldif, const char *attribute, char *value)
{
	int rank = naming_rank(attribute);
	if (rank >= 0 && (!ldif->name || rank < ldif->name_rank)) {
		char *other = ldif->name;
		ldif->name = value;
		ldif->name_rank = rank;
		value = other;
	}
	if (value)
		g_ptr_array_add(ldif->values, value);
}

static void ldif_read_line(Ldif *ldif)
{
	const char *line = ldif->line->str, *colon = strchr(line, ':');
	if (*line == '#' || !colon)
		return;
	g_autofree char *attribute = attribute_name(line, colon - line);
	if (g_strv_contains(machine_attributes, attribute) || strcmp(attribute, "dn") == 0)
		return;
	g_autofree char *value = ldif_value(colon + 1);
	if (value && *value)
		ldif_keep(ldif, attribute, g_steal_pointer(&value));
}

/* ---- entries */

static bool ldif_put(const Ldif *ldif, DocTag tag, const char *text)
{
	return sink_block(ldif->sink, tag) && sink_text(ldif->sink, tag, text, -1);
}

static bool ldif_end_entry(Ldif *ldif)
{
	bool more = true;
	if (ldif->name && !ldif->titled) {
		sink_field(ldif->sink, FIELD_TITLE, ldif->name, -1);
		ldif->titled = true;
	}
	if (ldif->name)
		more = ldif_put(ldif, TAG_HEADING1, ldif->name);
	for (guint i = 0; i < ldif->values->len && more; i++) {
		const char *value = ldif->values->pdata[i];
		if (!ldif->name || strcmp(value, ldif->name) != 0)
			more = ldif_put(ldif, TAG_BODY, value);
	}
	g_ptr_array_set_size(ldif->values, 0);
	g_clear_pointer(&ldif->name, g_free);
	return more;
}

void ldif_send(Sink *sink, const char *text, size_t length)
{
	Ldif ldif = {.sink = sink,
	        .at = text,
	        .end = text + length,
	        .line = g_string_new(NULL),
	        .values = g_ptr_array_new_with_free_func(g_free)};
	bool more = true;
	while (more && ldif_next_line(&ldif)) {
		if (ldif.line->len == 0)
			more = ldif_end_entry(&ldif);
		else
			ldif_read_line(&ldif);
	}
	if (more)
		ldif_end_entry(&ldif);
	g_clear_pointer(&ldif.name, g_free);
	g_ptr_array_unref(ldif.values);
	g_string_free(ldif.line, TRUE);
}
