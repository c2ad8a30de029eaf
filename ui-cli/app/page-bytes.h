/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page-bytes.h - the kept bytes of a page of a site or an item of a feed, for a conversion */
#pragma once
#include "common/ipc/wire.h"
#include "index/read/reader.h"

typedef struct {
	GBytes *bytes;
	char *url; /* against which links are resolved */
	char *name; /* as a file would be called, for its extension */
	char *charset; /* that the server declared; NULL: none */
	JobPurpose purpose;
	int64_t source; /* its row in web_source */
} PageBytes;
void page_bytes_free(PageBytes *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PageBytes, page_bytes_free)

/* Reads them from the store of the source. Not within a transaction. NULL with error; with
 * G_FILE_ERROR_AGAIN if they are not kept. The caller owns the result. */
PageBytes *page_bytes_read(Reader *r, const Info *info, GError **error);
/* Returns a new sealed memory file with the bytes. -1 with error. */
int page_bytes_open(const PageBytes *page, uint64_t *size_r, GError **error);
