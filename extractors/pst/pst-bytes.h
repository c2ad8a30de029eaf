/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-bytes.h - a file in memory for libpff
 *
 * libbfio has such a handle of its own, which reads past the end when it is asked for more than is
 * left. */
#pragma once
#include <libbfio.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	const uint8_t *data;
	size_t size, at;
} PstBytes;

/* NULL: no memory. bytes must live as long as the handle; free it with libbfio_handle_free(). */
libbfio_handle_t *bytes_open(PstBytes *bytes);
