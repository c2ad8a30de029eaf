/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-writer.h"
#include "index/fts/fts-page.h"
#include "index/fts/fts-varint.h"
#include <string.h>

enum { HEADER_BYTES = 4 };

struct FtsWriter {
	sqlite3 *db;
	const char *table;
	sqlite3_stmt *add_page, *add_term;
	uint32_t segment, first_page, page; /* page: the one that is being filled */
	size_t page_bytes;
	GByteArray *content, *terms; /* of the page: its header and lists; its index of terms */
	size_t last_at; /* of the last term on the page */
	bool has_terms, has_list; /* a term, or the first document of a list, is on the page */
	char term[FTS_TERM_MAX + 1], written[FTS_TERM_MAX + 1]; /* of the list; the last one on a
	                                                           page */
	size_t term_length, written_length;
	bool begun; /* a posting of the term was written */
	int64_t document; /* of the last posting */
	uint8_t cut[FTS_VARINT_BYTES]; /* the start of a varint that a piece ended in */
	size_t cut_bytes;
};

sqlite3_stmt *fts_prepare(sqlite3 *db, const char *format, const char *table)
{
	g_autofree char *sql = g_strdup_printf(format, table);
	sqlite3_stmt *statement = NULL;
	sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	return statement;
}

static void page_begin(FtsWriter *writer)
{
	static const uint8_t header[HEADER_BYTES] = {0};
	g_byte_array_set_size(writer->content, 0);
	g_byte_array_append(writer->content, header, sizeof header);
	g_byte_array_set_size(writer->terms, 0);
	writer->last_at = 0;
	writer->has_terms = writer->has_list = false;
}

FtsWriter *fts_writer_new(
        sqlite3 *db, const char *table, uint32_t segment, uint32_t page, size_t page_bytes)
{
	FtsWriter *writer = g_new0(FtsWriter, 1);
	writer->db = db;
	writer->table = table;
	writer->segment = segment;
	writer->first_page = writer->page = page;
	writer->page_bytes = page_bytes;
	writer->content = g_byte_array_new();
	writer->terms = g_byte_array_new();
	writer->add_page = fts_prepare(
	        writer->db, "INSERT INTO %s_data(id, block) VALUES(?1, ?2)", writer->table);
	writer->add_term = fts_prepare(writer->db,
	        "INSERT INTO %s_idx(segid, term, pgno) VALUES(?1, ?2, ?3)", writer->table);
	page_begin(writer);
	return writer;
}

void fts_writer_free(FtsWriter *writer)
{
	if (!writer)
		return;
	sqlite3_finalize(writer->add_page);
	sqlite3_finalize(writer->add_term);
	g_byte_array_unref(writer->content);
	g_byte_array_unref(writer->terms);
	g_free(writer);
}

uint32_t fts_writer_last_page(const FtsWriter *writer)
{
	return writer->page - 1;
}

uint32_t fts_writer_pages(const FtsWriter *writer)
{
	return writer->page - writer->first_page;
}

static size_t page_used(const FtsWriter *writer)
{
	return writer->content->len + writer->terms->len;
}

static bool page_is_empty(const FtsWriter *writer)
{
	return writer->content->len == HEADER_BYTES;
}

static void put_16(uint8_t *bytes, size_t number)
{
	bytes[0] = number >> 8;
	bytes[1] = number;
}

static bool writer_run(sqlite3_stmt *statement)
{
	int result = statement ? sqlite3_step(statement) : SQLITE_ERROR;
	return statement && sqlite3_reset(statement) == SQLITE_OK && result == SQLITE_DONE;
}

bool fts_writer_flush(FtsWriter *writer)
{
	if (page_is_empty(writer))
		return true;
	put_16(writer->content->data + 2, writer->content->len);
	g_byte_array_append(writer->content, writer->terms->data, writer->terms->len);
	sqlite3_bind_int64(writer->add_page, 1,
	        ((int64_t)writer->segment << FTS_SEGMENT_SHIFT) + writer->page);
	sqlite3_bind_blob(writer->add_page, 2, writer->content->data, (int)writer->content->len,
	        SQLITE_STATIC);
	if (!writer_run(writer->add_page))
		return false;
	writer->page++;
	page_begin(writer);
	return true;
}

static size_t shared_bytes(const FtsWriter *writer)
{
	size_t most = MIN(writer->written_length, writer->term_length), n = 0;
	while (n < most && writer->written[n] == writer->term[n])
		n++;
	return n;
}

/* Adds the row that leads to this page: a prefix of its first term that is greater than the last
 * term before. The first page of a segment has the empty one. */
static bool add_index_row(FtsWriter *writer, size_t shared)
{
	size_t length = writer->written_length == 0 ? writer->term_length : shared + 1;
	sqlite3_bind_int64(writer->add_term, 1, writer->segment);
	sqlite3_bind_blob(writer->add_term, 2, writer->term,
	        writer->page == 1 ? 0 : (int)MIN(length, writer->term_length), SQLITE_STATIC);
	sqlite3_bind_int64(writer->add_term, 3, (int64_t)writer->page << 1);
	return writer_run(writer->add_term);
}

static bool write_term(FtsWriter *writer)
{
	if (page_used(writer) + writer->term_length + 2 >= writer->page_bytes &&
	        !fts_writer_flush(writer))
		return false;
	size_t shared = shared_bytes(writer);
	fts_varint_append(writer->terms, writer->content->len - writer->last_at);
	writer->last_at = writer->content->len;
	if (!writer->has_terms) {
		if (!add_index_row(writer, shared))
			return false;
		shared = 0;
	} else {
		fts_varint_append(writer->content, shared);
	}
	fts_varint_append(writer->content, writer->term_length - shared);
	g_byte_array_append(writer->content, (const uint8_t *)writer->term + shared,
	        writer->term_length - shared);
	memcpy(writer->written, writer->term, writer->term_length);
	writer->written_length = writer->term_length;
	writer->has_terms = writer->has_list = true;
	return true;
}

void fts_writer_term(FtsWriter *writer, const char *term, size_t length)
{
	memcpy(writer->term, term, length);
	writer->term_length = length;
	writer->begun = false;
}

bool fts_writer_posting(FtsWriter *writer, int64_t document, bool deleted, uint64_t size)
{
	bool whole = !writer->begun;
	if (!writer->begun && !write_term(writer))
		return false;
	if (page_used(writer) >= writer->page_bytes && !fts_writer_flush(writer))
		return false;
	if (!writer->has_list) { /* the list goes on from the page before */
		put_16(writer->content->data, writer->content->len);
		whole = writer->has_list = true;
	}
	fts_varint_append(writer->content,
	        whole ? (uint64_t)document : (uint64_t)document - (uint64_t)writer->document);
	fts_varint_append(writer->content, size << 1 | deleted);
	writer->begun = true;
	writer->document = document;
	writer->cut_bytes = 0;
	return true;
}

static bool append_varint(FtsWriter *writer, const uint8_t *bytes, size_t length)
{
	if (page_used(writer) >= writer->page_bytes && !fts_writer_flush(writer))
		return false;
	g_byte_array_append(writer->content, bytes, length);
	return true;
}

/* A varint is never split between pages. */
bool fts_writer_positions(FtsWriter *writer, const uint8_t *bytes, size_t length)
{
	size_t from = 0;
	if (writer->cut_bytes == 0 && page_used(writer) + length < writer->page_bytes &&
	        length > 0 && !(bytes[length - 1] & 0x80)) {
		g_byte_array_append(writer->content, bytes, length);
		return true;
	}
	for (size_t i = 0; i < length; i++) {
		if (writer->cut_bytes > 0) {
			writer->cut[writer->cut_bytes++] = bytes[i];
			from = i + 1;
		}
		bool ends = !(bytes[i] & 0x80) || writer->cut_bytes == FTS_VARINT_BYTES ||
		            i + 1 - from == FTS_VARINT_BYTES;
		if (!ends)
			continue;
		if (writer->cut_bytes > 0 ? !append_varint(writer, writer->cut, writer->cut_bytes)
		                          : !append_varint(writer, bytes + from, i + 1 - from))
			return false;
		writer->cut_bytes = 0;
		from = i + 1;
	}
	if (from < length) {
		memcpy(writer->cut, bytes + from, length - from);
		writer->cut_bytes = length - from;
	}
	return true;
}
