/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cooldown.h - files that are saved again and again
 *
 * A file may be converted at once HOT_FREE_TIMES times in a row, or for HOT_FREE_US of work,
 * whichever ends first. Then it waits 2 s after its last conversion, 4 s, ... up to 10 min. It
 * cools down when it was left alone for a minute or for twice its wait. A log, a mailbox or a
 * running download thus costs little, a person who saves often waits for nothing. Only content
 * waits: name and facts are always kept true. Engine only. */
#pragma once
#include <glib.h>
#include <stdint.h>

enum { HOT_FREE_TIMES = 100, HOT_FREE_US = 2000 * 1000 };

typedef struct Hot Hot;

Hot *hot_new(void);
void hot_free(Hot *hot);
/* Names stay when a save replaces the inode. */
uint64_t hot_key(int64_t dir, const char *name);
/* When the file may be converted next; 0: at once. */
int64_t hot_not_before_us(Hot *hot, uint64_t key, int64_t now_us);
/* It was converted, which took cost_us. */
void hot_note(Hot *hot, uint64_t key, int64_t cost_us, int64_t now_us);
