/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bytes.h - bounds-checked views of bytes and numbers in them, little-endian and big-endian */
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* A view of a file or stream, or of a part of it. Nothing outside of it is ever read. */
typedef struct {
	const uint8_t *data;
	size_t size;
} Bytes;

/* Bytes outside of the view count as 0. */
static inline uint32_t le16(Bytes b, size_t at)
{
	return at < b.size && b.size - at >= 2 ? b.data[at] | b.data[at + 1] << 8 : 0;
}

static inline uint32_t le32(Bytes b, size_t at)
{
	return le16(b, at) | (at < b.size && b.size - at >= 4 ? le16(b, at + 2) << 16 : 0);
}

static inline uint64_t le64(Bytes b, size_t at)
{
	return le32(b, at) | (uint64_t)le32(b, at + 4) << 32;
}

static inline uint32_t be16(Bytes b, size_t at)
{
	return at < b.size && b.size - at >= 2 ? b.data[at] << 8 | b.data[at + 1] : 0;
}

static inline uint32_t be24(Bytes b, size_t at)
{
	return at < b.size && b.size - at >= 3 ? be16(b, at) << 8 | b.data[at + 2] : 0;
}

static inline uint32_t be32(Bytes b, size_t at)
{
	return at < b.size && b.size - at >= 4 ? be16(b, at) << 16 | be16(b, at + 2) : 0;
}

/* The part that starts at `at`, with up to size bytes; cut at the end of the view. */
static inline Bytes bytes_part(Bytes b, size_t at, size_t size)
{
	if (at >= b.size)
		return (Bytes){NULL, 0};
	return (Bytes){b.data + at, MIN(size, b.size - at)};
}
