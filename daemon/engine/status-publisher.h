/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status-publisher.h - publishes copies of the engine's status for other threads
 *
 * A copy is published at most every 50 ms while there is work, and always before the engine sleeps
 * or if a client waits for the next one. */
#pragma once
#include "daemon/engine/answer.h"
#include "daemon/engine/engine.h"

typedef struct StatusPublisher StatusPublisher;

StatusPublisher *status_publisher_new(void);
void status_publisher_free(StatusPublisher *publisher);

/* busy: another tick follows at once, and no client waits. */
bool status_publisher_is_due(const StatusPublisher *publisher, bool busy, int64_t now_us);
/* Takes ownership of status. */
void status_publisher_publish(StatusPublisher *publisher, EngineStatus *status, int64_t now_us);
/* Answers a client with 0 after the next status is published. */
void status_publisher_answer_after(StatusPublisher *publisher, EngineReply reply, void *data);
/* Returns a copy of the last status, which the caller owns. Can be called from any thread. */
EngineStatus *status_publisher_copy(StatusPublisher *publisher);

/* ---- rows of the index, counted at most once a second while there is work */

/* exact: count now. */
bool status_publisher_count(
        StatusPublisher *publisher, Writer *writer, bool exact, int64_t now_us, GError **error);
const WriterCounts *status_publisher_counts(const StatusPublisher *publisher);

/* Returns an empty list of EngineRoot. */
GPtrArray *engine_roots_new(void);
EngineRoot *engine_root_new(const char *path, RootState state, const Coverage *coverage);
