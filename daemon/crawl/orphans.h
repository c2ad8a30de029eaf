/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orphans.h - rows whose name is gone, until it is clear that they will not turn up elsewhere
 *
 * In the order in which they went, so that a million of them cost no more each than one. Engine
 * only. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Orphans Orphans;

Orphans *orphans_new(void);
void orphans_free(Orphans *orphans);
/* since_us: not before that of the one put last; what is there already begins anew. */
void orphans_put(Orphans *orphans, int64_t node, int64_t since_us);
void orphans_remove(Orphans *orphans, int64_t node);
void orphans_clear(Orphans *orphans);
bool orphans_has(const Orphans *orphans, int64_t node);
/* Takes the oldest out if it went at before_us or earlier; 0: there is none. */
int64_t orphans_take(Orphans *orphans, int64_t before_us);
/* How many have left since orphans_new(), whatever became of them. */
uint64_t orphans_left(const Orphans *orphans);
/* INT64_MAX: there is none. */
int64_t orphans_oldest_us(const Orphans *orphans);
