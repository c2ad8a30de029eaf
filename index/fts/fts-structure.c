/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-structure.h"
#include "index/fts/fts-varint.h"
#include <string.h>

/* The record of SQLite 3.43 and later for tables that keep tombstones begins with this. */
static const uint8_t other_format[4] = {0xff, 0, 0, 1};

static void fts_level_clear(gpointer item)
{
	FtsLevel *level = item;
	g_clear_pointer(&level->segments, g_array_unref);
}

void fts_structure_free(FtsStructure *structure)
{
	if (!structure)
		return;
	g_array_unref(structure->levels);
	g_free(structure);
}

FtsSegment *fts_structure_segment(const FtsStructure *structure, guint level, guint place)
{
	return &g_array_index(
	        g_array_index(structure->levels, FtsLevel, level).segments, FtsSegment, place);
}

bool fts_structure_find(const FtsStructure *structure, uint32_t id, guint *level_r, guint *place_r)
{
	for (guint i = 0; i < structure->levels->len; i++) {
		const FtsLevel *level = &g_array_index(structure->levels, FtsLevel, i);
		for (guint j = 0; j < level->segments->len; j++)
			if (g_array_index(level->segments, FtsSegment, j).id == id) {
				*level_r = i;
				*place_r = j;
				return true;
			}
	}
	return false;
}

uint32_t fts_structure_free_id(const FtsStructure *structure)
{
	guint level, place;
	for (uint32_t id = 1; id <= FTS_MAX_SEGMENTS; id++)
		if (!fts_structure_find(structure, id, &level, &place))
			return id;
	return 0;
}

typedef struct {
	const uint8_t *bytes;
	size_t at, length;
	bool damaged;
} StructureReader;

/* The next number; more than max is damage. */
static uint64_t structure_number(StructureReader *reader, uint64_t max)
{
	uint64_t number = 0;
	if (!fts_varint_read(reader->bytes, reader->length, &reader->at, &number) || number > max) {
		reader->damaged = true;
		return 0;
	}
	return number;
}

static void structure_read_level(
        StructureReader *reader, FtsStructure *structure, uint64_t *segments)
{
	FtsLevel level = {.merging = structure_number(reader, FTS_MAX_SEGMENTS),
	        .segments = g_array_new(FALSE, FALSE, sizeof(FtsSegment))};
	uint64_t n = structure_number(reader, *segments);
	*segments -= n;
	if (level.merging > n)
		reader->damaged = true;
	g_array_append_val(structure->levels, level);
	for (uint64_t i = 0; i < n && !reader->damaged; i++) {
		guint other_level, place;
		FtsSegment segment;
		segment.id = structure_number(reader, FTS_MAX_SEGMENTS);
		segment.first = structure_number(reader, INT32_MAX);
		segment.last = structure_number(reader, INT32_MAX - 1);
		if (segment.id == 0 || segment.last < segment.first ||
		        fts_structure_find(structure, segment.id, &other_level, &place))
			reader->damaged = true;
		g_array_append_val(level.segments, segment);
	}
}

FtsStructure *fts_structure_parse(const uint8_t *bytes, size_t length)
{
	g_autoptr(FtsStructure) structure = g_new0(FtsStructure, 1);
	structure->levels = g_array_new(FALSE, FALSE, sizeof(FtsLevel));
	g_array_set_clear_func(structure->levels, fts_level_clear);
	if (!bytes || length < sizeof structure->cookie + 3 ||
	        memcmp(bytes + sizeof structure->cookie, other_format, sizeof other_format) == 0)
		return NULL;
	memcpy(structure->cookie, bytes, sizeof structure->cookie);
	StructureReader reader = {bytes, sizeof structure->cookie, length, false};
	uint64_t levels = structure_number(&reader, FTS_MAX_LEVELS);
	uint64_t segments = structure_number(&reader, FTS_MAX_SEGMENTS);
	structure->writes = structure_number(&reader, INT64_MAX);
	for (uint64_t i = 0; i < levels && !reader.damaged; i++)
		structure_read_level(&reader, structure, &segments);
	if (reader.damaged || reader.at != length || segments != 0)
		return NULL;
	return g_steal_pointer(&structure);
}

GByteArray *fts_structure_write(const FtsStructure *structure)
{
	GByteArray *out = g_byte_array_new();
	guint segments = 0;
	for (guint i = 0; i < structure->levels->len; i++)
		segments += g_array_index(structure->levels, FtsLevel, i).segments->len;
	g_byte_array_append(out, structure->cookie, sizeof structure->cookie);
	fts_varint_append(out, structure->levels->len);
	fts_varint_append(out, segments);
	fts_varint_append(out, structure->writes);
	for (guint i = 0; i < structure->levels->len; i++) {
		const FtsLevel *level = &g_array_index(structure->levels, FtsLevel, i);
		fts_varint_append(out, level->merging);
		fts_varint_append(out, level->segments->len);
		for (guint j = 0; j < level->segments->len; j++) {
			const FtsSegment *segment = &g_array_index(level->segments, FtsSegment, j);
			fts_varint_append(out, segment->id);
			fts_varint_append(out, segment->first);
			fts_varint_append(out, segment->last);
		}
	}
	return out;
}
