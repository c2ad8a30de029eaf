/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sync-waiters.h - clients that wait until every change made so far is in the index
 *
 * A sync cookie is a file that is made in a watched directory of our own and removed at once. Its
 * event follows those of all earlier changes: when the cookie has been read, they have been read
 * too. If nothing is watched, there are no cookies to wait for.
 *
 * Before a waiter is answered, the rescan suspicions that exist are resolved once by comparing
 * everything (rescan-suspicion.h). Suspicions that arise later do not delay the answer. */
#pragma once
#include "daemon/engine/answer.h"
#include <stdbool.h>

typedef struct SyncWaiters SyncWaiters;

/* cookie_dir: directory in which cookies are made. */
SyncWaiters *sync_waiters_new(const char *cookie_dir);
void sync_waiters_free(SyncWaiters *waiters);
/* The directory of cookies is watched. Call it before the first waiter is added. */
void sync_waiters_use_cookies(SyncWaiters *waiters);

/* Adds a waiter and makes a cookie. number: a key for sync_waiters_cancel(). */
void sync_waiters_add(SyncWaiters *waiters, uint64_t number, EngineReply reply, void *data);
/* Answers the waiter with 0. */
void sync_waiters_cancel(SyncWaiters *waiters, uint64_t number);
/* The event of a cookie was read. False: no waiter needs this cookie. */
bool sync_waiters_note_cookie(SyncWaiters *waiters, uint64_t cookie);
/* Events were lost: makes a new cookie if one is waited for. */
void sync_waiters_note_overflow(SyncWaiters *waiters);

bool sync_waiters_any(const SyncWaiters *waiters);
/* Is there a waiter, and has the cookie of every waiter been read? */
bool sync_waiters_know_events(const SyncWaiters *waiters);
/* Is there a waiter whose cookie was read and who still needs a rescan? */
bool sync_waiters_need_comparison(const SyncWaiters *waiters);
/* A rescan began, or is not needed, for the waiters whose cookies were read. */
void sync_waiters_note_comparison(SyncWaiters *waiters);
/* Everything is in the index: answers with 1 all waiters whose cookie was read and who need no
 * rescan. */
void sync_waiters_answer(SyncWaiters *waiters);
