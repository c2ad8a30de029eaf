/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/sequence.h"

typedef struct {
	int phrase, column, offset;
} SequencePlace;

/* Finds the first position of the phrase in this column at or after an offset, looking from index i
 * on. Returns its index; -1: there is none. */
static int sequence_find(const GArray *places, guint i, int phrase, int column, int offset)
{
	for (; i < places->len; i++) { /* ascending by column and offset */
		const SequencePlace *place = &g_array_index(places, SequencePlace, i);
		if (place->column != column)
			return -1;
		if (place->phrase == phrase && place->offset >= offset)
			return i;
	}
	return -1;
}

/* The greedy sequence that begins at a position of phrase 0 is also the shortest one. */
static int sequence_span_from(
        const Fts5ExtensionApi *api, Fts5Context *fts, const GArray *places, guint first)
{
	const SequencePlace *begin = &g_array_index(places, SequencePlace, first);
	int end = begin->offset + api->xPhraseSize(fts, 0), at = first, last = end;
	int behind_first = end;
	for (int phrase = 1; phrase < api->xPhraseCount(fts); phrase++) {
		at = sequence_find(places, at, phrase, begin->column, end);
		if (at < 0)
			return -1;
		last = g_array_index(places, SequencePlace, at).offset;
		end = last + api->xPhraseSize(fts, phrase);
	}
	return last - behind_first;
}

int sequence_span(const Fts5ExtensionApi *api, Fts5Context *fts, int *span_r)
{
	enum { MAX_INSTANCES = 4096 };
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(SequencePlace));
	int n = 0, result = api->xInstCount(fts, &n);
	*span_r = -1;
	for (int i = 0; result == SQLITE_OK && i < MIN(n, MAX_INSTANCES); i++) {
		SequencePlace place;
		result = api->xInst(fts, i, &place.phrase, &place.column, &place.offset);
		g_array_append_val(places, place);
	}
	for (guint i = 0; result == SQLITE_OK && i < places->len && *span_r != 0; i++) {
		if (g_array_index(places, SequencePlace, i).phrase != 0)
			continue;
		int span = sequence_span_from(api, fts, places, i);
		if (span >= 0 && (*span_r < 0 || span < *span_r))
			*span_r = span;
	}
	return result;
}
