/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust.h - rules by which several URLs of a site lead to the same page
 *
 * The rules are learned from a list of URLs with sizes and checksums, without fetching anything,
 * as DustBuster does (Bar-Yossef, Keidar, Schonfeld: "Do not crawl in the DUST: different URLs with
 * similar text", WWW 2007). A rule replaces a part of a URL by another part, or says that a
 * parameter does not matter. Two URLs that differ in one part are an instance of a substitution.
 * Instances count
 *   - where few other URLs differ in the same place (small buckets: the numbers of a series name
 *     different pages),
 *   - if checksums are equal or sizes fit.
 * A rule that is likely by its many instances is validated on a sample of at most
 * DUST_SAMPLE_MOST pairs, and then applied to URLs before they are fetched.
 *
 * Departures from the paper: an instance is counted at its narrowest place alone, and the parts
 * around it that all instances have in common belong to the rule, so that narrower and wider forms
 * of a rule need not be compared with each other; a rule is redundant if it saves next to nothing
 * after the better ones; each application makes a URL shorter, or equally long and earlier in the
 * order of bytes, so that rules in any order come to an end.
 *
 * Time is O(L log L) and memory O(L) for L URLs; a URL takes about 250 bytes. Names of files are
 * read in the same way (index/copies/mirror-names.c). */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	DUST_URL_BYTES_MOST = 2048, /* longer URLs are left out, and left alone by rules */
	DUST_TOKENS_MOST = 40, /* so are those of more tokens */
	DUST_PAGES_MOST = 4000000,
	DUST_PART_MOST = 10, /* tokens that a substitution may replace */
	DUST_BUCKET_MOST = 8, /* URLs that may differ in one place */
	DUST_SUPPORT = 11, /* least support of a rule: fewer pairs cannot confirm one */
	DUST_SAMPLE_MOST = 20, /* pairs of a sample */
	DUST_RULES_MOST = 64
};

/* ---- the list */

typedef struct {
	const char *url; /* NUL-terminated bytes; borrowed */
	int64_t size; /* in bytes; -1: not known */
	uint64_t sum; /* checksum or fingerprint; 0: not known */
	uint32_t group; /* URLs of different groups are never compared; 0 if there are none */
	int64_t mark; /* for the caller's DustAlikeFunc */
} DustPage;

typedef struct DustList DustList;
DustList *dust_list_new(void);
void dust_list_free(DustList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DustList, dust_list_free)
/* A URL that comes again widens the range of its sizes, and has no checksum if they differ. False:
 * the URL breaks a limit above and is left out. */
bool dust_list_add(DustList *list, const DustPage *page);
uint32_t dust_list_length(const DustList *list);
/* The i-th URL of the list, as it was added. */
DustPage dust_list_page(const DustList *list, uint32_t i);

/* ---- rules */

typedef enum {
	DUST_PART, /* from is replaced by to where it consists of whole tokens */
	DUST_PARAMETER, /* parameters of the name from are removed, or get the value to */
	N_DUST_KINDS
} DustKind;

typedef struct {
	DustKind kind;
	bool at_start, at_end; /* DUST_PART: from begins or ends the URL */
	char *from;
	char *to; /* DUST_PARAMETER: NULL: removed */
	unsigned place; /* as told by DustOptions.place */
	uint32_t urls; /* URLs of the list that the rule changes */
	uint32_t support; /* of them: those whose other side is in the list and seems equal */
	uint32_t refuted; /* of them: those whose other side is in the list and differs */
	uint32_t saved; /* URLs that need not be fetched, beyond those of the rules before */
	unsigned sampled, equal; /* validated pairs, and those of them that were equal */
} DustRule;
DustRule *dust_rule_new(DustKind kind, const char *from, const char *to);
void dust_rule_free(DustRule *rule);
bool dust_rule_equal(const DustRule *a, const DustRule *b); /* the same substitution? */

typedef enum { DUST_DIFFERENT, DUST_EQUAL, DUST_UNKNOWN } DustVerdict;

/* Compares two entries by the list alone: equal checksums, then sizes within 1/64. Unequal
 * checksums alone refute nothing, for a page may name its own address, but sizes must fit then. */
typedef struct {
	DustVerdict (*alike)(const DustPage *a, const DustPage *b, void *data); /* instead of the
	                                                                           above; NULL */
	void *alike_data;
	unsigned (*place)(const char *text, size_t start, size_t end); /* NULL; else parts at
	        different places make different rules, without what stands around them. These
	        rules are not tallied: their support is the number of their instances, and none
	        is left out. [start, end) of the text is what is replaced. */
	bool no_parameters; /* the texts are not URLs */
	unsigned rivals_most; /* a part that occurs in more substitutions makes no rule; 0: any */
	const gint *stop; /* atomic; another value than 0 ends the work soon, whose result then
	                     means nothing; NULL: never */
} DustOptions;

/* The likely rules, best first. refused: rules (DustRule) that validation has refused, or NULL;
 * narrower rules may take their place. Returns an array that owns its rules. */
GPtrArray *dust_find(const DustList *list, const DustOptions *options, const GPtrArray *refused);

/* ---- validation */

typedef struct {
	char *url, *target; /* what the rule makes of url */
	uint32_t page, other; /* in the list; other is UINT32_MAX if the target is not there */
} DustSample;
void dust_sample_free(DustSample *sample);
/* At most DUST_SAMPLE_MOST pairs of a rule, spread evenly over the URLs that it changes and that
 * the rules before (DustRule, may be NULL) do not make equal. known: only pairs with both sides in
 * the list. Returns an array that owns its samples. */
GPtrArray *dust_sample(
        const DustList *list, const DustRule *rule, const GPtrArray *before, bool known);
/* Has the sample confirmed the rule? All of at least DUST_SUPPORT pairs are equal. */
bool dust_rule_holds(const DustRule *rule);

/* Compares two pages, for instance by fetching them. DUST_UNKNOWN: one cannot be fetched now. */
typedef DustVerdict (*DustCompareFunc)(const DustList *list, const DustSample *sample, void *data);
/* Finds and validates rules until none is refused, at most 8 times. With known, only pairs of the
 * list are sampled, and a rule is kept if none of them is refused, even if they are few. */
GPtrArray *dust_learn(const DustList *list, const DustOptions *options, bool known,
        DustCompareFunc compare, void *data);
/* The verdict on a pair by the checksums of the list alone. data is not used. */
DustVerdict dust_compare_sums(const DustList *list, const DustSample *sample, void *data);

/* ---- application */

/* Applies a rule once. NULL: the rule does not change the URL. The caller owns the result. */
char *dust_rule_apply(const DustRule *rule, const char *url);
/* Applies rules (DustRule) in their order until none changes the URL. URLs beyond the limits above,
 * and those that do not come to an end in 256 steps, stay as they are. The caller owns the
 * result. */
char *dust_canonical(const GPtrArray *rules, const char *url);
