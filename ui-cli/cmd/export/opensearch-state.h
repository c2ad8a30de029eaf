/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-state.h - how far an instance has come, kept beside the documents
 *
 * One document for each instance in INDEX-state. Each export raises its number there by a
 * conditional write, so that of two exports at a time the later one goes on, and the writes of the
 * earlier are refused. */
#pragma once
#include "ui-cli/cmd/export/opensearch-client.h"

typedef struct {
	char *instance, *host, *origin; /* origin: NULL: not known */
	char *session; /* of this export */
	int64_t generation; /* number of the export */
	int64_t seq; /* -1: not known */
	int64_t documents, newest; /* when seq was stored: how many, and their greatest version */
	int64_t writes, seq_no, primary_term; /* seq_no -1: there is no such document yet */
} OsState;

void os_state_clear(OsState *state);
/* Reads what the last export left; the texts must be set. */
bool os_state_read(OsState *state, OsClient *client, const char *index, GError **error);
/* Writes it. EXPORT_ERROR_UNAVAILABLE if another export has written meanwhile. */
bool os_state_write(OsState *state, OsClient *client, const char *index, GError **error);
/* Counts the documents of the instance that searches see. */
bool os_state_count(const OsState *state, OsClient *client, const char *index, int64_t *documents_r,
        int64_t *newest_r, GError **error);
/* Removes what an index sent that this one has replaced. */
bool os_state_remove_replaced(
        const OsState *state, OsClient *client, const char *index, GError **error);
