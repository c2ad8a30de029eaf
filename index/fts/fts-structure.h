/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-structure.h - the structure record of an FTS5 table: which segments there are
 *
 * Row 10 of the table's _data. Format (ext/fts5/fts5_index.c of SQLite, "Structure Record"): a
 * 32-bit number, then varints: levels, segments, a counter of writes; for each level how many of
 * its segments are being merged, and its segments, oldest first, each with its id and its first and
 * last page. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { FTS_MAX_SEGMENTS = 2000, FTS_MAX_LEVELS = 64 };

typedef struct {
	uint32_t id; /* from 1 to FTS_MAX_SEGMENTS */
	uint32_t first, last; /* page numbers, from 1; 0: all was merged into another one */
} FtsSegment;

typedef struct {
	uint32_t merging; /* segments that FTS5 is merging into the last one of the next level */
	GArray *segments; /* of FtsSegment */
} FtsLevel;

typedef struct {
	uint8_t cookie[4];
	uint64_t writes;
	GArray *levels; /* of FtsLevel */
} FtsStructure;

/* NULL: the record is damaged, or has another format. The caller owns the result. */
FtsStructure *fts_structure_parse(const uint8_t *bytes, size_t length);
GByteArray *fts_structure_write(const FtsStructure *structure);
void fts_structure_free(FtsStructure *structure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FtsStructure, fts_structure_free)

/* Finds a segment by its id: its level and its place there. False: there is none. */
bool fts_structure_find(const FtsStructure *structure, uint32_t id, guint *level_r, guint *place_r);
/* An id that no segment has; 0: all are in use. */
uint32_t fts_structure_free_id(const FtsStructure *structure);
FtsSegment *fts_structure_segment(const FtsStructure *structure, guint level, guint place);
