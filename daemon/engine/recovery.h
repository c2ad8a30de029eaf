/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recovery.h - when the index cannot be written, and until it can be written again
 *
 * After any error the transaction is lost, and memory no longer matches the rows. So everything
 * known in memory is forgotten, and all is compared again: rows are the only memory. The next try
 * comes after 5 s, doubling to 5 min; after damage at once, since writer_open() moves a damaged
 * index aside and makes a new one. Recovery ends with the next commit. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Recovery Recovery;

Recovery *recovery_new(void);
void recovery_free(Recovery *recovery);

/* An error occurred. damaged: the index is to be made anew. */
void recovery_begin(Recovery *recovery, const GError *error, bool damaged, int64_t now_us);
/* A transaction was committed. */
void recovery_end(Recovery *recovery);
/* Somebody waits: the next try comes no later than the first one would. */
void recovery_expedite(Recovery *recovery, int64_t now_us);

/* The last error, borrowed; NULL: the index can be written. */
const GError *recovery_error(const Recovery *recovery);
/* When the index may be tried again; 0: now. */
int64_t recovery_until_us(const Recovery *recovery);
