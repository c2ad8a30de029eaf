/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-item.h - converts an item of libpff to a message */
#pragma once
#include <glib.h>
#include <libpff.h>
#include <stdbool.h>

/* NULL: the item has no content. The caller frees it with g_string_free(). */
GString *item_message(libpff_item_t *item);
/* Returns a text property (MS-OXPROPS number); NULL: none. The caller frees it. */
char *item_text(libpff_item_t *item, unsigned property);
