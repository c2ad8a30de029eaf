/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-page.h - the kept bytes of a document of a site or feed */
#pragma once
#include "common/warc/warc-store.h"
#include "index/read/reader.h"

/* The data that a conversion needs to read the document again. */
typedef struct {
	WarcContent *content; /* body, and its media type or NULL */
	char *url; /* against which its links are resolved */
	int64_t source; /* its row in web_source */
	bool is_page; /* it was fetched as a page; false: it was made of an item of a feed, or is
	                 text alone */
} ReaderPage;
void reader_page_clear(ReaderPage *page);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReaderPage, reader_page_clear)

/* Reads the record of the document from the store of its source. inode: as in Info. 1: found, the
 * caller clears *out; 0: it is not such a document, or its bytes are not kept; -1 with INDEX_ERROR
 * or WARC_ERROR. Not within a transaction. */
int reader_web_page(Reader *r, int64_t inode, ReaderPage *out, GError **error);

/* Reads the kept bytes of all documents. unread: called for each whose record cannot be read;
 * failure: WARC_ERROR_DAMAGED if it is damaged or gone, or another WARC_ERROR. Both are borrowed.
 * False with INDEX_ERROR. Not within a transaction. */
typedef void (*ReaderPageFunc)(const char *url, const GError *failure, void *data);
bool reader_check_stores(Reader *r, ReaderPageFunc unread, void *data, GError **error);

/* The directory of the store of a source (its row in web_source), which the caller frees. */
char *reader_store_dir(const char *index_dir, int64_t source);
