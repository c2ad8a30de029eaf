/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sync-waiters.h - those who wait until every change made so far is in the index
 *
 * A cookie is a file that is made in a watched directory of our own and removed at once. Its event
 * follows those of all earlier changes: once the cookie was read, so were they. Without a watch
 * nobody waits for cookies.
 *
 * Before a waiter is answered, rescan suspicions of before are resolved once for him by comparing
 * everything (rescan-suspicion.h), whatever is suspected later. */
#pragma once
#include "daemon/engine/answer.h"
#include <stdbool.h>

typedef struct SyncWaiters SyncWaiters;

/* cookie_dir: where cookies are made. */
SyncWaiters *sync_waiters_new(const char *cookie_dir);
void sync_waiters_free(SyncWaiters *waiters);
/* The directory of cookies is watched. Before anybody waits. */
void sync_waiters_use_cookies(SyncWaiters *waiters);

/* Makes a cookie. number: a key for sync_waiters_cancel(). */
void sync_waiters_add(SyncWaiters *waiters, uint64_t number, EngineReply reply, void *data);
/* Answers with 0. */
void sync_waiters_cancel(SyncWaiters *waiters, uint64_t number);
/* The event of a cookie was read. False: it is none of those that are waited for, or an old one. */
bool sync_waiters_note_cookie(SyncWaiters *waiters, uint64_t cookie);
/* Events were lost: a cookie that is waited for is made again. */
void sync_waiters_note_overflow(SyncWaiters *waiters);

bool sync_waiters_any(const SyncWaiters *waiters);
/* Has the cookie of everybody been read, and is there anybody? */
bool sync_waiters_know_events(const SyncWaiters *waiters);
/* Is there somebody whose cookie was read and for whom not everything was compared? */
bool sync_waiters_need_comparison(const SyncWaiters *waiters);
/* Everything is being compared, or need not be, for those whose cookie was read. */
void sync_waiters_note_comparison(SyncWaiters *waiters);
/* Everything is in the index: answers with 1 all those whose cookie was read and who need no
 * comparison. */
void sync_waiters_answer(SyncWaiters *waiters);
