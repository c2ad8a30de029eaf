/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-instances.c - pairs of URLs that differ in one place and seem to be one page
 *
 * URLs that begin with the same tokens are a group, and are divided further by their next token, as
 * in a trie. At each fork, for each number of tokens after the place, there is a pass over the
 * URLs of the group whose rest is short enough; those that end in the same tokens are a bucket. A
 * URL is in at most DUST_TOKENS_MOST groups, and in DUST_PART_MOST + 1 passes of each. */
#include <config.h>
#include "common/dust/dust-private.h"
#include <stdlib.h>

enum { INSTANCES_OF_URL = 32 /* more tell nothing new */ };

/* A URL in its group. */
typedef struct {
	uint32_t entry;
	uint32_t next; /* of the bucket, an index in live, DUST_NONE: none */
	uint64_t token; /* hash of the token after those of the group, 0: the URL ends */
} DustLive;

typedef struct {
	uint32_t key, members; /* members 0: free */
	uint32_t head; /* an index in live */
} DustBucket;

typedef struct {
	const DustList *list;
	const DustOptions *options;
	GArray *instances;
	GArray *live; /* DustLive, each group together */
	uint32_t *behind; /* hash of the last tokens: n_tokens + 1 for each entry, as starts */
	uint8_t *taken; /* instances of an entry so far */
	DustBucket *buckets; /* a hash table */
} DustPasses;

static DustLive *dust_live(const DustPasses *p, uint32_t i)
{
	return &g_array_index(p->live, DustLive, i);
}

static const DustEntry *dust_live_entry(const DustPasses *p, uint32_t i)
{
	return dust_entry(p->list, dust_live(p, i)->entry);
}

/* ---- preparation */

static void dust_hash_behind(DustPasses *p)
{
	const DustList *list = p->list;
	for (uint32_t i = 0; i < list->entries->len; i++) {
		const DustEntry *entry = dust_entry(list, i);
		const uint16_t *starts = dust_starts(list, entry);
		const char *text = dust_text(list, entry);
		uint64_t hash = 1;
		size_t at = entry->length;
		for (unsigned k = 0; k <= entry->n_tokens; k++) {
			while (at > starts[entry->n_tokens - k])
				hash = dust_hash_byte(list->base, hash, (uint8_t)text[--at]);
			p->behind[entry->starts + k] = (uint32_t)(hash ^ hash >> 31);
		}
	}
}

static uint32_t dust_slots_for(uint32_t members)
{
	uint32_t slots = 16;
	while (slots < members * 2)
		slots *= 2;
	return slots;
}

/* The first token counts the group that the caller gave. */
static void dust_passes_begin(DustPasses *p, const bool *left_out)
{
	uint32_t n = p->list->entries->len;
	p->live = g_array_sized_new(FALSE, FALSE, sizeof(DustLive), n);
	p->behind = g_new(uint32_t, p->list->starts->len + 1);
	p->taken = g_new0(uint8_t, n + 1);
	p->buckets = g_new(DustBucket, dust_slots_for(n));
	for (uint32_t i = 0; i < n; i++) {
		const DustLive one = {i, DUST_NONE, (uint64_t)dust_entry(p->list, i)->group + 1};
		if (!left_out[i])
			g_array_append_val(p->live, one);
	}
	dust_hash_behind(p);
}

static void dust_passes_end(DustPasses *p)
{
	g_array_unref(p->live);
	g_free(p->behind);
	g_free(p->taken);
	g_free(p->buckets);
}

/* ---- pairs */

static bool dust_same_token(
        const DustList *list, const DustEntry *a, unsigned i, const DustEntry *b, unsigned k)
{
	const uint16_t *x = dust_starts(list, a) + i, *y = dust_starts(list, b) + k;
	size_t n = (size_t)x[1] - x[0];
	return n == (size_t)y[1] - y[0] &&
	       memcmp(dust_text(list, a) + x[0], dust_text(list, b) + y[0], n) == 0;
}

/* Is there no narrower place where they differ? The part before is as long as can be; then the part
 * behind is. */
static bool dust_is_narrowest(
        const DustList *list, const DustEntry *a, const DustEntry *b, unsigned first, unsigned last)
{
	if (first < a->n_tokens && first < b->n_tokens && dust_same_token(list, a, first, b, first))
		return false;
	if (first + last == a->n_tokens || first + last == b->n_tokens)
		return true;
	return !dust_same_token(list, a, a->n_tokens - last - 1, b, b->n_tokens - last - 1);
}

static bool dust_frame_equal(
        const DustList *list, const DustEntry *a, const DustEntry *b, unsigned first, unsigned last)
{
	const uint16_t *x = dust_starts(list, a), *y = dust_starts(list, b);
	size_t n = (size_t)a->length - x[a->n_tokens - last];
	return a->group == b->group && x[first] == y[first] &&
	       n == (size_t)b->length - y[b->n_tokens - last] &&
	       memcmp(dust_text(list, a), dust_text(list, b), x[first]) == 0 &&
	       memcmp(dust_text(list, a) + a->length - n, dust_text(list, b) + b->length - n, n) ==
	               0;
}

/* Two numbers of a series name no copies. */
static bool dust_is_number(
        const DustList *list, const DustEntry *entry, unsigned first, unsigned last)
{
	const uint16_t *starts = dust_starts(list, entry);
	const char *text = dust_text(list, entry);
	size_t at = starts[first], end = starts[entry->n_tokens - last];
	if (at == end)
		return false;
	while (at < end && g_ascii_isdigit(text[at]))
		at++;
	return at == end;
}

static void dust_pair(DustPasses *p, uint32_t i, uint32_t k, unsigned first, unsigned last)
{
	const DustList *list = p->list;
	const DustEntry *a = dust_entry(list, i), *b = dust_entry(list, k);
	if (p->taken[i] >= INSTANCES_OF_URL || p->taken[k] >= INSTANCES_OF_URL ||
	        !dust_is_narrowest(list, a, b, first, last) ||
	        (dust_is_number(list, a, first, last) && dust_is_number(list, b, first, last)) ||
	        dust_list_alike(list, p->options, i, k) != DUST_EQUAL ||
	        !dust_frame_equal(list, a, b, first, last))
		return;
	bool turned = dust_order(dust_text(list, a), dust_text(list, b)) < 0;
	const DustInstance instance = {
	        turned ? k : i, turned ? i : k, (uint8_t)first, (uint8_t)last};
	g_array_append_val(p->instances, instance);
	p->taken[i]++;
	p->taken[k]++;
}

/* ---- buckets of a pass */

static DustBucket *dust_bucket_at(DustPasses *p, uint32_t mask, uint32_t key)
{
	uint32_t slot = (key * 0x9e3779b9u) >> 3 & mask;
	while (p->buckets[slot].members > 0 && p->buckets[slot].key != key)
		slot = (slot + 1) & mask;
	return &p->buckets[slot];
}

static void dust_pair_bucket(DustPasses *p, const DustBucket *bucket, unsigned first, unsigned last)
{
	for (uint32_t i = bucket->head; i != DUST_NONE; i = dust_live(p, i)->next)
		for (uint32_t k = dust_live(p, i)->next; k != DUST_NONE; k = dust_live(p, k)->next)
			dust_pair(p, dust_live(p, i)->entry, dust_live(p, k)->entry, first, last);
}

/* Compares the URLs of a group that have first tokens before the place and last tokens after
 * it. */
static void dust_pass(DustPasses *p, uint32_t start, uint32_t end, unsigned first, unsigned last)
{
	uint32_t slots = dust_slots_for(end - start);
	if (dust_is_stopped(p->options))
		return;
	memset(p->buckets, 0, slots * sizeof *p->buckets);
	for (uint32_t i = start; i < end; i++) {
		const DustEntry *entry = dust_live_entry(p, i);
		if (entry->n_tokens < first + last ||
		        entry->n_tokens > first + last + DUST_PART_MOST)
			continue;
		uint32_t key = p->behind[entry->starts + last];
		DustBucket *bucket = dust_bucket_at(p, slots - 1, key);
		dust_live(p, i)->next = bucket->members > 0 ? bucket->head : DUST_NONE;
		*bucket = (DustBucket){key, bucket->members + 1, i};
	}
	for (uint32_t slot = 0; slot < slots && !dust_is_stopped(p->options); slot++)
		if (p->buckets[slot].members >= 2 && p->buckets[slot].members <= DUST_BUCKET_MOST)
			dust_pair_bucket(p, &p->buckets[slot], first, last);
}

/* ---- groups */

static void dust_read_token(DustPasses *p, uint32_t i, unsigned first)
{
	const DustEntry *entry = dust_live_entry(p, i);
	const uint16_t *starts = dust_starts(p->list, entry) + first;
	dust_live(p, i)->token = 0;
	if (first < entry->n_tokens)
		dust_live(p, i)->token = dust_hash(p->list->base, 1,
		        dust_text(p->list, entry) + starts[0], (size_t)starts[1] - starts[0]);
}

static int dust_compare_tokens(const void *a, const void *b)
{
	const DustLive *x = a, *y = b;
	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Reads the next token of a group and puts equal ones together. False: all have the same one. */
static bool dust_fork(DustPasses *p, uint32_t start, uint32_t end, unsigned first)
{
	bool fork = false;
	for (uint32_t i = start; i < end; i++) {
		dust_read_token(p, i, first);
		fork = fork || dust_live(p, i)->token != dust_live(p, start)->token;
	}
	if (fork)
		qsort(dust_live(p, start), end - start, sizeof(DustLive), dust_compare_tokens);
	return fork;
}

static unsigned dust_most_tokens(const DustPasses *p, uint32_t start, uint32_t end)
{
	unsigned most = 0;
	for (uint32_t i = start; i < end; i++)
		most = MAX(most, dust_live_entry(p, i)->n_tokens);
	return most;
}

static void dust_divide(DustPasses *p, uint32_t start, uint32_t end, unsigned first);

/* A group whose URLs have their first tokens in common. */
static void dust_group(DustPasses *p, uint32_t start, uint32_t end, unsigned first)
{
	unsigned most = dust_most_tokens(p, start, end);
	while (first < most && !dust_fork(p, start, end, first))
		first++;
	for (unsigned last = 0; first < most && first + last <= most; last++)
		dust_pass(p, start, end, first, last);
	if (first < most)
		dust_divide(p, start, end, first + 1);
}

/* Makes groups of equal tokens. */
static void dust_divide(DustPasses *p, uint32_t start, uint32_t end, unsigned first)
{
	for (uint32_t next; start < end && !dust_is_stopped(p->options); start = next) {
		uint64_t token = dust_live(p, start)->token;
		for (next = start + 1; next < end && dust_live(p, next)->token == token;)
			next++;
		if (token != 0 && next - start > 1)
			dust_group(p, start, next, first);
	}
}

void dust_find_instances(
        const DustList *list, const DustOptions *options, const bool *left_out, GArray *instances)
{
	DustPasses p = {.list = list, .options = options, .instances = instances};
	dust_passes_begin(&p, left_out);
	if (p.live->len > 0)
		qsort(p.live->data, p.live->len, sizeof(DustLive), dust_compare_tokens);
	dust_divide(&p, 0, p.live->len, 0);
	dust_passes_end(&p);
}
