/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pst/pst-bytes.h"
#include <glib.h>
#include <string.h>
#include <unistd.h>

static int open_bytes(intptr_t *handle, int flags, libbfio_error_t **error)
{
	return 1;
}

static int close_bytes(intptr_t *handle, libbfio_error_t **error)
{
	return 0;
}

static ssize_t read_bytes(intptr_t *handle, uint8_t *buffer, size_t size, libbfio_error_t **error)
{
	PstBytes *bytes = (PstBytes *)handle;
	size_t left = bytes->at < bytes->size ? bytes->size - bytes->at : 0;
	size_t n = MIN(size, left);
	if (n > 0)
		memcpy(buffer, bytes->data + bytes->at, n);
	bytes->at += n;
	return n;
}

static ssize_t write_bytes(
        intptr_t *handle, const uint8_t *buffer, size_t size, libbfio_error_t **error)
{
	return -1;
}

static off64_t seek_bytes(intptr_t *handle, off64_t offset, int whence, libbfio_error_t **error)
{
	PstBytes *bytes = (PstBytes *)handle;
	int64_t from = whence == SEEK_CUR   ? (int64_t)bytes->at
	               : whence == SEEK_END ? (int64_t)bytes->size
	                                    : 0;
	int64_t to;
	if (__builtin_add_overflow(from, offset, &to) || to < 0)
		return -1;
	bytes->at = to;
	return to;
}

static int pst_exists(intptr_t *handle, libbfio_error_t **error)
{
	return 1;
}

static int pst_is_open(intptr_t *handle, libbfio_error_t **error)
{
	return 1;
}

static int get_size(intptr_t *handle, size64_t *size, libbfio_error_t **error)
{
	*size = ((const PstBytes *)handle)->size;
	return 1;
}

libbfio_handle_t *bytes_open(PstBytes *bytes)
{
	libbfio_handle_t *handle = NULL;
	int made = libbfio_handle_initialize(&handle, (intptr_t *)bytes, NULL, NULL, open_bytes,
	        close_bytes, read_bytes, write_bytes, seek_bytes, pst_exists, pst_is_open, get_size,
	        LIBBFIO_FLAG_IO_HANDLE_NON_MANAGED | LIBBFIO_FLAG_IO_HANDLE_CLONE_BY_REFERENCE,
	        NULL);
	return made == 1 ? handle : NULL;
}
