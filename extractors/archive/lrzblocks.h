/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lrzblocks.h - one of the two streams in a chunk of lrzip: a list of blocks, each compressed alone
 *
 * A block has a header: how it is compressed, how long it is so and otherwise, and where the next
 * one begins, as "lrzip file format" (magic.header.txt of that program) tells. Blocks are unpacked
 * piece by piece, those of LZO whole. */
#pragma once
#include "common/base/document.h"
#include "extractors/shared/bytes.h"
#include <archive.h>
#include <gio/gio.h>
#include <stdbool.h>

enum { LRZ_PROPERTIES = 5 };

/* What the file's header tells of all blocks. */
typedef struct {
	unsigned width; /* bytes of the numbers in a header of a block */
	const uint8_t *properties; /* LRZ_PROPERTIES bytes, of LZMA */
	size_t max; /* bytes: of a block of LZO, of a dictionary of LZMA */
} LrzForm;

typedef struct {
	Bytes chunk; /* from the first header of its streams on, up to the end of the file */
	LrzForm form;
	uint64_t next; /* where in chunk the header of the next block is; 0: there is none */
	unsigned method; /* of the current block */
	uint64_t left; /* bytes of it that are not taken yet */
	DocReason rest; /* why some are missing, if they are */
	Bytes piece; /* unpacked, and not taken yet */
	Bytes packed; /* of the block, not unpacked yet */
	GConverter *zlib;
	struct archive *archive; /* unpacks bzip2 and LZMA */
	uint8_t head[LRZ_PROPERTIES + 8]; /* that a file of LZMA has */
	bool head_is_read;
	uint8_t *room;
	DocReason reason; /* why nothing more comes */
	const char *detail; /* static, or NULL */
} LrzBlocks;

/* at: of the first header in chunk, which has no bytes. What lies in chunk must outlive blocks. */
void lrzblocks_open(LrzBlocks *blocks, Bytes chunk, size_t at, const LrzForm *form);
void lrzblocks_close(LrzBlocks *blocks);
/* Where in the chunk the last block ends that is not begun yet; chunk.size if that is not known. */
size_t lrzblocks_end(const LrzBlocks *blocks);
/* Takes size bytes; fewer at the end, or where blocks->reason tells why. */
size_t lrzblocks_take(LrzBlocks *blocks, uint8_t *to, size_t size);
