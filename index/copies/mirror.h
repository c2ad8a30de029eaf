/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror.h - rules by which the files of one place are copies of those of another
 *
 * The rules come from the list of paths and sizes alone. Pages with several URLs are found in the
 * same way (common/dust/dust.h), and names that mark copies by the same engine. A rule replaces one
 * part of a path by another. Its support is the number of files that exist on both sides with the
 * same size; files on both sides with different sizes refute it. Of several rules for the same
 * files only the widest is kept, and of several mirrors no pair that follows from other pairs. The
 * rules left are confirmed by comparing the checksums of a sample: the share of equal pairs must be
 * at least .8 with a confidence of 95 % (lower end of the interval of Wilson: "Probable inference,
 * the law of succession, and statistical inference", JASA 1927), which eleven pairs reach if all
 * are equal. Only the index is read, and stat() is called for the files of the sample. */
#pragma once
#include "index/read/reader.h"

enum {
	MIRROR_SUPPORT = 11, /* least support of a rule: fewer pairs cannot confirm one */
	MIRROR_SAMPLE = 200 /* most pairs of a sample */
};

typedef struct {
	bool names; /* from and to are name patterns (as in .tarsierignore) within one directory;
	               else they are directories */
	char *from, *to; /* to is the side that may be left out */
	uint64_t support; /* pairs of files with the same size */
	uint64_t refuted; /* pairs of files with different sizes */
	uint64_t files; /* files on the side of to, with or without a twin; empty ones are left
	                   out */
	uint64_t bytes; /* of the files of to with a twin; an inode counts once, and not at all if
	                   the other side has it */
	unsigned sampled, equal; /* pairs in the sample, and those of them with equal checksums */
} MirrorRule;
void mirror_rule_free(MirrorRule *rule);

typedef struct {
	const char *dir; /* only rules with both sides below this directory; NULL: all rules */
	uint32_t uid; /* the asking user: files that they may not read are not sampled */
	void (*progress)(double part, void *data); /* is called with the progress from 0 to 1; may
	                                              be NULL */
	void *progress_data;
} MirrorOptions;

/* *rules_r: GPtrArray of MirrorRule, the one with the most bytes first. Takes about 350 bytes of
 * memory for each file. */
bool reader_mirror_rules(
        Reader *r, const MirrorOptions *options, GPtrArray **rules_r, GError **error);
