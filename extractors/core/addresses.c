/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/addresses.h"
#include <string.h>

struct Addresses {
	GHashTable *seen; /* set of addresses */
	GString *lines;
};

static bool address_is_searched(const char *href)
{
	static const char *const schemes[] = {"http://", "https://", "ftp://", "mailto:"};
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (g_ascii_strncasecmp(href, schemes[i], strlen(schemes[i])) == 0)
			return true;
	return false;
}

typedef enum { ADDRESS_SIGN, ADDRESS_SMALL, ADDRESS_CAPITAL, ADDRESS_DIGIT } AddressByte;

static AddressByte address_byte(char c)
{
	return g_ascii_islower(c)   ? ADDRESS_SMALL
	       : g_ascii_isupper(c) ? ADDRESS_CAPITAL
	       : g_ascii_isdigit(c) ? ADDRESS_DIGIT
	                            : ADDRESS_SIGN;
}

/* Where the first word begins that is too long for a number or a name and changes between small
 * letters, capitals and digits at every third byte or more; length: there is none. */
static size_t before_random_word(const char *href, size_t length)
{
	size_t begin = 0, changes = 0;
	for (size_t at = 0; at <= length; at++) {
		AddressByte now = at < length ? address_byte(href[at]) : ADDRESS_SIGN;
		if (now == ADDRESS_SIGN) {
			if (at - begin >= LEAST_RANDOM_BYTES && changes * 3 >= at - begin)
				return begin;
			begin = at + 1;
			changes = 0;
		} else if (at > begin) {
			changes += now != address_byte(href[at - 1]);
		}
	}
	return length;
}

static size_t searched_length(const char *href)
{
	size_t length = strcspn(href, " \t\n");
	if (length > MOST_QUERY_BYTES)
		length = MIN(length, strcspn(href, "?"));
	return before_random_word(href, length);
}

/* The text may leave out the scheme. */
static bool address_is_shown(const char *address, const char *text)
{
	const char *rest = strchr(address, ':') + 1;
	return text && strstr(text, rest + strspn(rest, "/"));
}

static Addresses *addresses_new(void)
{
	Addresses *list = g_new(Addresses, 1);
	list->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	list->lines = g_string_new(NULL);
	return list;
}

void addresses_add(Addresses **list, const char *href, const char *text)
{
	size_t length = address_is_searched(href) ? searched_length(href) : 0;
	if (length == 0 || length > MOST_ADDRESS_BYTES)
		return;
	g_autofree char *address = g_strndup(href, length);
	if (address_is_shown(address, text))
		return;
	if (!*list)
		*list = addresses_new();
	GHashTable *seen = (*list)->seen;
	if (g_hash_table_size(seen) >= MOST_ADDRESSES || g_hash_table_contains(seen, address))
		return;
	g_string_append_printf((*list)->lines, "%s\n", address);
	g_hash_table_add(seen, g_steal_pointer(&address));
}

const GString *addresses_text(const Addresses *list)
{
	return list->lines;
}

void addresses_free(Addresses *list)
{
	if (!list)
		return;
	g_hash_table_unref(list->seen);
	g_string_free(list->lines, TRUE);
	g_free(list);
}
