/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/dust/dust-private.h"

/* ---- hashes */

uint64_t dust_hash_byte(uint64_t base, uint64_t hash, uint8_t byte)
{
	const uint64_t prime = ((uint64_t)1 << 61) - 1;
	unsigned __int128 product = (unsigned __int128)hash * base + byte + 1;
	uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
	return sum >= prime ? sum - prime : sum;
}

uint64_t dust_hash(uint64_t base, uint64_t hash, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = dust_hash_byte(base, hash, (uint8_t)bytes[i]);
	return hash;
}

void dust_map_init(DustMap *map, uint32_t most)
{
	uint32_t slots = 16;
	while (slots < most * 2)
		slots *= 2;
	*map = (DustMap){g_new(uint64_t, slots), g_new(uint32_t, slots), slots - 1, 0};
	memset(map->values, 0xff, slots * sizeof *map->values);
}

void dust_map_clear(DustMap *map)
{
	g_free(map->keys);
	g_free(map->values);
	*map = (DustMap){0};
}

static uint32_t dust_map_slot(const DustMap *map, uint64_t key)
{
	uint32_t slot = (uint32_t)(key ^ key >> 29) & map->mask;
	while (map->values[slot] != DUST_NONE && map->keys[slot] != key)
		slot = (slot + 1) & map->mask;
	return slot;
}

static void dust_map_grow(DustMap *map)
{
	DustMap larger;
	dust_map_init(&larger, map->mask + 1);
	for (uint32_t i = 0; i <= map->mask; i++)
		if (map->values[i] != DUST_NONE)
			*dust_map_at(&larger, map->keys[i]) = map->values[i];
	dust_map_clear(map);
	*map = larger;
}

uint32_t *dust_map_at(DustMap *map, uint64_t key)
{
	if (map->used > map->mask / 2)
		dust_map_grow(map);
	uint32_t slot = dust_map_slot(map, key);
	if (map->values[slot] == DUST_NONE) {
		map->keys[slot] = key;
		map->used++;
	}
	return &map->values[slot];
}

static uint32_t dust_map_get(const DustMap *map, uint64_t key)
{
	return map->values[dust_map_slot(map, key)];
}

/* ---- tokens */

typedef enum { CHAR_OTHER, CHAR_LETTER, CHAR_DIGIT } CharClass;

static CharClass dust_char_class(uint8_t c)
{
	if (g_ascii_isdigit(c))
		return CHAR_DIGIT;
	return g_ascii_isalpha(c) || c >= 0x80 || c == '%' ? CHAR_LETTER : CHAR_OTHER;
}

/* The end of the run of letters and digits that begins at start; *change_r: where it changes from
 * one to the other, its end if it does so never or more than once. */
static size_t dust_run_end(const char *text, size_t length, size_t start, size_t *change_r)
{
	size_t end = start + 1, changes = 0;
	for (; end < length && dust_char_class((uint8_t)text[end]) != CHAR_OTHER; end++)
		if (dust_char_class((uint8_t)text[end]) !=
		                dust_char_class((uint8_t)text[end - 1]) &&
		        changes++ == 0)
			*change_r = end;
	if (changes != 1)
		*change_r = end;
	return end;
}

unsigned dust_tokens(const char *text, size_t length, uint16_t *starts_r)
{
	unsigned n = 0;
	for (size_t at = 0, end; at < length; at = end) {
		size_t change = at + 1;
		end = at + 1;
		if (dust_char_class((uint8_t)text[at]) != CHAR_OTHER)
			end = dust_run_end(text, length, at, &change);
		if (n + (change < end) >= DUST_TOKENS_MOST)
			return 0;
		starts_r[n++] = (uint16_t)at;
		if (change < end)
			starts_r[n++] = (uint16_t)change;
	}
	starts_r[n] = (uint16_t)length;
	return n;
}

/* ---- the list */

DustList *dust_list_new(void)
{
	DustList *list = g_new0(DustList, 1);
	list->entries = g_array_new(FALSE, FALSE, sizeof(DustEntry));
	list->texts = g_byte_array_new();
	list->starts = g_array_new(FALSE, FALSE, sizeof(uint16_t));
	list->base = ((uint64_t)g_random_int() << 28 | g_random_int()) | (uint64_t)1 << 59;
	dust_map_init(&list->by_url, 64);
	return list;
}

void dust_list_free(DustList *list)
{
	if (!list)
		return;
	g_array_unref(list->entries);
	g_byte_array_unref(list->texts);
	g_array_unref(list->starts);
	dust_map_clear(&list->by_url);
	g_free(list);
}

uint32_t dust_list_length(const DustList *list)
{
	return list->entries->len;
}

static uint64_t dust_list_key(const DustList *list, const char *url, size_t length, uint32_t group)
{
	return dust_hash(list->base, (uint64_t)group + 1, url, length);
}

static bool dust_list_is(const DustList *list, uint32_t i, const char *url, uint32_t group)
{
	const DustEntry *entry = dust_entry(list, i);
	return entry->group == group && strcmp(dust_text(list, entry), url) == 0;
}

uint32_t dust_list_find(const DustList *list, const char *url, uint32_t group)
{
	uint32_t i = dust_map_get(&list->by_url, dust_list_key(list, url, strlen(url), group));
	return i != DUST_NONE && dust_list_is(list, i, url, group) ? i : DUST_NONE;
}

static void dust_list_widen(DustEntry *entry, const DustPage *page)
{
	if (page->size >= 0 && (entry->size_least < 0 || page->size < entry->size_least))
		entry->size_least = page->size;
	if (page->size > entry->size_most)
		entry->size_most = page->size;
	if (entry->sum != page->sum)
		entry->sum = 0;
}

bool dust_list_add(DustList *list, const DustPage *page)
{
	size_t length = strlen(page->url);
	uint16_t starts[DUST_TOKENS_MOST + 1];
	unsigned n = 0;
	if (length > 0 && length <= DUST_URL_BYTES_MOST)
		n = dust_tokens(page->url, length, starts);
	if (n == 0 || list->entries->len >= DUST_PAGES_MOST)
		return false;
	uint32_t *known =
	        dust_map_at(&list->by_url, dust_list_key(list, page->url, length, page->group));
	if (*known != DUST_NONE) {
		if (!dust_list_is(list, *known, page->url, page->group))
			return false;
		dust_list_widen(&g_array_index(list->entries, DustEntry, *known), page);
		return true;
	}
	*known = list->entries->len;
	const DustEntry entry = {list->texts->len, list->starts->len, (uint16_t)length, (uint8_t)n,
	        page->group, MAX(page->size, -1), MAX(page->size, -1), page->sum, page->mark};
	g_array_append_val(list->entries, entry);
	g_byte_array_append(list->texts, (const uint8_t *)page->url, (guint)length + 1);
	g_array_append_vals(list->starts, starts, n + 1);
	return true;
}

DustPage dust_list_page(const DustList *list, uint32_t i)
{
	const DustEntry *entry = dust_entry(list, i);
	return (DustPage){
	        dust_text(list, entry), entry->size_most, entry->sum, entry->group, entry->mark};
}

/* Are the ranges of sizes closer than 1/64? */
static bool dust_sizes_fit(const DustEntry *a, const DustEntry *b)
{
	int64_t least = MAX(a->size_least, b->size_least);
	int64_t most = MIN(a->size_most, b->size_most);
	return least - most <= least / 64;
}

DustVerdict dust_list_alike(
        const DustList *list, const DustOptions *options, uint32_t a, uint32_t b)
{
	const DustEntry *x = dust_entry(list, a), *y = dust_entry(list, b);
	if (options->alike) {
		const DustPage left = dust_list_page(list, a), right = dust_list_page(list, b);
		return options->alike(&left, &right, options->alike_data);
	}
	if (x->sum != 0 && x->sum == y->sum)
		return DUST_EQUAL;
	if (x->size_least >= 0 && y->size_least >= 0)
		return dust_sizes_fit(x, y) ? DUST_EQUAL : DUST_DIFFERENT;
	return x->sum != 0 && y->sum != 0 ? DUST_DIFFERENT : DUST_UNKNOWN;
}

int dust_order(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	return n != m ? (n < m ? -1 : 1) : strcmp(a, b);
}
