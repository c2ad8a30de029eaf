/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cooldown.h - debounces files that are saved again and again
 *
 * A file may be converted at once COOLDOWN_FREE_TIMES times in a row, or for COOLDOWN_FREE_US of
 * work, whichever ends first. After that it waits for 2 s after its last conversion, then 4 s, and
 * so on up to 10 min. It has cooled down when nothing wrote to it for a minute or for twice its
 * wait. So a log, a mailbox or a running download costs little, and a person who saves often does
 * not wait. Only contents wait: names and facts are always kept true. Only the engine's thread
 * calls these functions. */
#pragma once
#include <glib.h>
#include <stdint.h>

enum { COOLDOWN_FREE_TIMES = 100, COOLDOWN_FREE_US = 2000 * 1000 };

typedef struct Cooldown Cooldown;

Cooldown *cooldown_new(void);
void cooldown_free(Cooldown *cooldown);
/* Returns the key of a name. It stays the same when a save replaces the inode. */
uint64_t cooldown_key(int64_t dir, const char *name);
/* Returns when the file may be converted next (monotonic); 0: at once. */
int64_t cooldown_not_before_us(Cooldown *cooldown, uint64_t key, int64_t now_us);
/* Notes that the file was converted, which took cost_us. */
void cooldown_note(Cooldown *cooldown, uint64_t key, int64_t cost_us, int64_t now_us);
