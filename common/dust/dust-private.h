/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-private.h - the list in memory, and tokens of URLs */
#pragma once
#include "common/dust/dust.h"
#include <string.h>

enum { DUST_NONE = UINT32_MAX };

typedef struct {
	uint32_t text; /* in list->texts, NUL-terminated */
	uint32_t starts; /* of tokens, in list->starts: n_tokens + 1 offsets, the last is the length
	                  */
	uint16_t length;
	uint8_t n_tokens;
	uint32_t group;
	int64_t size_least, size_most; /* -1: not known */
	uint64_t sum;
	int64_t mark;
} DustEntry;

/* A table from 8-byte hashes to the first of the entries with this hash. */
typedef struct {
	uint64_t *keys;
	uint32_t *values; /* DUST_NONE: free */
	uint32_t mask, used;
} DustMap;
void dust_map_init(DustMap *map, uint32_t most); /* room for this many keys */
void dust_map_clear(DustMap *map);
/* Returns the place of the value of a key, DUST_NONE if it is new. */
uint32_t *dust_map_at(DustMap *map, uint64_t key);

struct DustList {
	GArray *entries; /* DustEntry */
	GByteArray *texts;
	GArray *starts; /* uint16_t */
	DustMap by_url;
	uint64_t base; /* of hashes: random, so that nobody can choose texts of equal hashes */
};

static inline const DustEntry *dust_entry(const DustList *list, uint32_t i)
{
	return &g_array_index(list->entries, DustEntry, i);
}
static inline const char *dust_text(const DustList *list, const DustEntry *entry)
{
	return (const char *)list->texts->data + entry->text;
}
static inline const uint16_t *dust_starts(const DustList *list, const DustEntry *entry)
{
	return &g_array_index(list->starts, uint16_t, entry->starts);
}

/* A token is a run of letters or of digits, a run of both that change more than once (as in a
 * session id), or one other character; bytes beyond ASCII and "%" count as letters. Returns the
 * number of tokens, 0 if they are more than DUST_TOKENS_MOST; starts_r has room for one more. */
unsigned dust_tokens(const char *text, size_t length, uint16_t *starts_r);

/* Polynomial hashes modulo 2^61 - 1. */
uint64_t dust_hash_byte(uint64_t base, uint64_t hash, uint8_t byte);
uint64_t dust_hash(uint64_t base, uint64_t hash, const char *bytes, size_t n);

/* The entry with a URL in a group, or DUST_NONE. */
uint32_t dust_list_find(const DustList *list, const char *url, uint32_t group);
/* Do two entries seem to be one page? */
DustVerdict dust_list_alike(
        const DustList *list, const DustOptions *options, uint32_t a, uint32_t b);

static inline bool dust_is_stopped(const DustOptions *options)
{
	return options && options->stop && g_atomic_int_get(options->stop);
}

/* Two entries that seem to be one page and differ in one place: tokens from first on, all but the
 * last_tokens. from is the later one in the order of dust_order(). */
typedef struct {
	uint32_t from, to;
	uint8_t first, last_tokens;
} DustInstance;
/* Appends the instances of a list but for the entries that are left out (dust-instances.c). */
void dust_find_instances(
        const DustList *list, const DustOptions *options, const bool *left_out, GArray *instances);

/* Which is the better URL, as strcmp(): the shorter one, then that which is earlier in bytes. */
int dust_order(const char *a, const char *b);

/* The next parameter of a URL at or after *at, which moves on. In a path, parameters are those
 * with ";" and "=". */
typedef struct {
	size_t start, name, equals,
	        end; /* start: of its separator; equals: end if it has no value */
} DustParameter;
bool dust_parameter_next(const char *url, size_t *at, DustParameter *parameter_r);

/* Finds where a rule of parts applies first. */
typedef struct {
	size_t start, end; /* the bytes to be replaced */
} DustPartSpan;
bool dust_part_find(const DustRule *rule, const char *text, const uint16_t *starts, unsigned n,
        DustPartSpan *span);
/* Applies a rule once; out is overwritten. False: the rule does not change the URL. */
bool dust_rule_apply_to(const DustRule *rule, const char *url, GString *out);

/* Counts the evidence of the list about a rule: urls, support and refuted are set. pairs
 * (DustPair): appended are those with both sides in the list; may be NULL (dust-tally.c). */
typedef struct {
	uint32_t from, to;
	bool alike;
} DustPair;
void dust_tally(const DustList *list, const DustOptions *options, DustRule *rule, GArray *pairs);

/* Collects likely rules, with their tallies (dust-search.c). */
typedef struct {
	const DustList *list;
	const DustOptions *options;
	const GPtrArray *refused;
	GPtrArray *rules;
	unsigned tallies; /* made so far */
} DustSearch;
bool dust_search_refuses(const DustSearch *search, const DustRule *rule);
/* Tallies the rule and takes it if it is likely; else frees it and returns false. */
bool dust_search_take(DustSearch *search, DustRule *rule);
/* Appends likely substitutions, and likely parameters. */
void dust_find_parts(DustSearch *search);
void dust_find_parameters(DustSearch *search);
