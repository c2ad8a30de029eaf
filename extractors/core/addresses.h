/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addresses.h - the addresses that the links of a document lead to, as text to be found by
 *
 * Of a link, a reader sees a text and an editor shows the address, by which it is searched too. The
 * rules bound what the index has to hold: newsletters count their readers by addresses that are
 * unlike all others, and a log of changes may lead to thousands. An address ends before a word of
 * random letters and digits: each would be a new word of the index, and nobody types it. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum {
	MOST_ADDRESSES = 500, /* of a document */
	MOST_ADDRESS_BYTES = 200, /* a longer one is left out */
	MOST_QUERY_BYTES = 80, /* of an address with a query; a longer one loses its query */
	LEAST_RANDOM_BYTES = 20,
};

typedef struct Addresses Addresses;

/* Adds the address of a link: of http, https, ftp and mailto, once, and not if the text of the link
 * shows it. *list is created when it is NULL. text may be NULL. */
void addresses_add(Addresses **list, const char *href, const char *text);
/* A line for each address in the order of the links. The string lives as long as the list. */
const GString *addresses_text(const Addresses *list);
void addresses_free(Addresses *list);
