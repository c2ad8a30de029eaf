/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-item.h - what libpff knows of an item, as a message */
#pragma once
#include <glib.h>
#include <libpff.h>
#include <stdbool.h>

/* NULL: there is nothing to say of it. Yours. */
GString *item_message(libpff_item_t *item);
/* A text property (MS-OXPROPS number); NULL: none. Yours. */
char *item_text(libpff_item_t *item, unsigned property);
