/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-large.c - adds a large document in pieces, so that other changes can be committed between
 *
 * First its words are collected, then they are written in slices of different terms
 * (index/text/terms.h), and at last its text goes into the cache. FTS5 collects new terms in memory
 * and sorts them at the commit: one slice is as much as a commit can write in some 15 ms. Until the
 * content ends its documents are hidden, so that nobody sees a document with a part of its words.
 * If the daemon dies in between, the next start removes it like all of an unfinished content, and
 * the slices that were written are a tombstone. */
#include <config.h>
#include "index/write/writer-private.h"

enum {
	LARGE_BYTES = 256 << 10, /* of text and facts */
	WORDS_OF_PIECE = 16 * 1024,
};

struct LargeDocument {
	int64_t content, id;
	const Document *doc;
	TermsWork *work; /* NULL: all words are collected */
	Terms terms, slice, before; /* before: what is taken back before a slice */
	Fingerprint print;
	unsigned n_slices, written;
	bool is_cut; /* slice is the next one to be written */
	TextPack *pack; /* of the text for the cache */
};

static LargeDocument *large_new(const Writer *w, OpenContent *open, const Document *doc)
{
	LargeDocument *large = g_new0(LargeDocument, 1);
	large->content = open->content;
	large->doc = doc;
	terms_init(&large->terms);
	terms_init(&large->slice);
	terms_init(&large->before);
	large->terms.budget = content_budget(open, doc);
	large->work = terms_begin(&large->terms, doc, &w->text_key);
	return large;
}

static void large_end_words(LargeDocument *large)
{
	terms_end(g_steal_pointer(&large->work), &large->print, &large->n_slices);
}

void large_free(LargeDocument *large)
{
	if (!large)
		return;
	if (large->work)
		large_end_words(large);
	terms_clear(&large->terms);
	terms_clear(&large->slice);
	terms_clear(&large->before);
	textpack_free(large->pack);
	g_free(large);
}

static void large_cut_slice(LargeDocument *large)
{
	terms_slice(&large->terms, large->written, large->n_slices, &large->slice);
	large->is_cut = true;
}

static bool large_write_slice(Writer *w, LargeDocument *large, GError **error)
{
	unsigned slice = large->written++;
	const Terms *terms = large->is_cut ? &large->slice : &large->terms;
	large->is_cut = false;
	if (slice == 0 && !content_add_rows(w, large->content, large->doc, &large->terms,
	                          &large->print, &large->id, error))
		return false;
	if (large->print.words == 0)
		return true;
	terms_unslice(terms, &large->before);
	return writer_change(w, error) &&
	       (slice == 0 ||
	               content_write_text(w, TEXT_DELETE, large->id, &large->before, error)) &&
	       content_write_text(w, TEXT_ADD, large->id, terms, error);
}

/* large is freed if it fails. */
static bool large_add_piece(
        Writer *w, LargeDocument *large, bool cache, bool *done_r, GError **error)
{
	if (large->work) {
		large->terms.count = w->count;
		if (!terms_continue(large->work, WORDS_OF_PIECE))
			large_end_words(large);
		return true;
	}
	if (large->written < large->n_slices && large->n_slices > 1 && !large->is_cut) {
		large_cut_slice(large);
		return true;
	}
	if (large->written < large->n_slices)
		return large_write_slice(w, large, error);
	*done_r = true;
	if (!writer_change(w, error))
		return false;
	if (!w->cache || !cache) {
		content_keep_text(w, large->id, large->doc, false);
		return true;
	}
	if (!large->pack)
		large->pack = textpack_new(large->doc);
	*done_r = !textpack_continue(large->pack);
	if (*done_r)
		textcache_put_pack(w->cache, large->id, large->pack);
	return true;
}

bool writer_add_piece(
        Writer *w, int64_t content, const Document *doc, bool cache, bool *done_r, GError **error)
{
	OpenContent *open = content_get_open(w, content, error);
	*done_r = false;
	if (!open)
		return false;
	if (!open->large && (w->bulk || content_document_bytes(doc) <= LARGE_BYTES)) {
		*done_r = true;
		return writer_add_document(w, content, doc, cache, error);
	}
	if (!open->large)
		open->large = large_new(w, open, doc);
	if (!large_add_piece(w, open->large, cache, done_r, error))
		return false;
	if (*done_r)
		g_clear_pointer(&open->large, large_free);
	return true;
}
