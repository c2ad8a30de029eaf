/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recovery.h - handles errors of the index until it can be written again
 *
 * After any error the transaction is lost, and memory no longer matches the rows. Therefore
 * everything in memory is dropped and everything is compared again: the rows are the only truth.
 * The next try comes after 5 s, and the delay doubles up to 5 min. After damage it comes at once,
 * since writer_open() replaces a damaged index by a new one. If the disk is full, it comes as soon
 * as there is room (load-gate.h), too. Recovery ends with the next commit. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Recovery Recovery;

Recovery *recovery_new(void);
void recovery_free(Recovery *recovery);

/* An error occurred. damaged: the index must be created anew. */
void recovery_begin(Recovery *recovery, const GError *error, bool damaged, int64_t now_us);
/* A transaction was committed. */
void recovery_end(Recovery *recovery);
/* A client waits: the next try comes no later than after the first delay. */
void recovery_expedite(Recovery *recovery, int64_t now_us);
/* The cause is gone: the next try comes now. */
void recovery_end_wait(Recovery *recovery, int64_t now_us);

/* Returns the last error, borrowed; NULL: the index can be written. */
const GError *recovery_error(const Recovery *recovery);
/* Returns when to try the index again; 0: now. */
int64_t recovery_until_us(const Recovery *recovery);
