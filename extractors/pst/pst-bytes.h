/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-bytes.h - a file in memory for libpff
 *
 * libbfio's own memory handle reads past the end if more bytes are requested than are left. */
#pragma once
#include <libbfio.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	const uint8_t *data;
	size_t size, at;
} PstBytes;

/* NULL: out of memory. bytes must outlive the handle; free the handle with
 * libbfio_handle_free(). */
libbfio_handle_t *bytes_open(PstBytes *bytes);
