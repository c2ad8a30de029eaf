/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror.h - rules by which files of one place are copies of those of another
 *
 * From the list of paths and sizes alone, as DustBuster finds pages with several addresses
 * (Bar-Yossef, Keidar, Schonfeld: "Do not crawl in the DUST: different URLs with similar text", WWW
 * 2007): a rule replaces a part of a path by another. Its support is the number of files that exist
 * on both sides with the same size; what exists on both sides with other sizes refutes it. Of rules
 * that flock together one is kept: the widest, and of several mirrors not the pairs that follow
 * from others. What is left is confirmed by comparing the checksums of a sample. Nothing is read
 * but the index, and of the sample what stat says. */
#pragma once
#include "index/read/reader.h"

enum {
	MIRROR_TREE_SUPPORT = 10, /* a rule for directories has at least so much */
	MIRROR_NAME_SUPPORT = 5, /* one for names */
	MIRROR_SAMPLE = 200 /* pairs at most */
};

typedef struct {
	bool names; /* from and to are patterns (of .tarsierignore) of names in one directory; else
	               directories */
	char *from, *to; /* to: the side that may be left out */
	uint64_t support; /* pairs of files with the same size */
	uint64_t refuted; /* with other sizes */
	uint64_t files; /* on the side of to, with a twin or without; empty ones left out */
	uint64_t bytes; /* of those of to with a twin, each inode that the other side has not */
	unsigned sampled, equal; /* sampled pairs, and how many have equal checksums */
} MirrorRule;
void mirror_rule_free(MirrorRule *rule);

typedef struct {
	const char *dir; /* only rules with both sides below it; NULL: all */
	uint32_t uid; /* asking user: what it may not read is no part of a sample */
	void (*progress)(double part, void *data); /* from 0 to 1; or NULL */
	void *progress_data;
} MirrorOptions;

/* *rules_r: MirrorRule, most bytes first. Memory: about 150 bytes a file. */
bool reader_mirror_rules(
        Reader *r, const MirrorOptions *options, GPtrArray **rules_r, GError **error);
