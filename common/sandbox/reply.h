/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - the frames of one conversion, checked and turned into Documents
 *
 * What a child sends is hostile until it has passed here: kinds, order, nesting, job number, UTF-8,
 * names of types and plugins, and caps on every document, on their number and on the bytes of the
 * job altogether. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

typedef struct Reply Reply;

typedef enum {
	REPLY_MORE, /* the job goes on */
	REPLY_DONE, /* all documents were delivered, the outermost last */
	REPLY_OTHER_LANE, /* what was delivered is void */
	REPLY_BAD, /* the child broke the rules: nothing more of it is believed */
} ReplyState;

/* A plugin's name as the documents are to have it, and its version; NULL: there is none of this
 * name. */
typedef const char *ReplyPlugin(const char *name, uint32_t *version_r, void *data);

typedef struct {
	uint32_t job;
	WireLane lane; /* that it runs in */
	uint64_t size; /* of the file */
	const ExtractLimits *limits; /* copied */
	ReplyPlugin *plugin;
	/* The document is the callee's. */
	void (*document)(Document *doc, void *data);
	void *data;
} ReplySetup;

Reply *reply_new(const ReplySetup *setup);
/* What was begun and not delivered is dropped. */
void reply_free(Reply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reply, reply_free)

/* Feeds one packet. After anything but REPLY_MORE it must not be called again. */
ReplyState reply_packet(Reply *reply, const uint8_t *packet, size_t length);

/* What the end of its child left open is delivered as failed for this reason, innermost first, with
 * what was read of it; nothing of what has no type or no text yet. Copies detail. reply_packet()
 * must not be called any more. */
void reply_fail_open(Reply *reply, DocReason reason, const char *detail);

/* Number of the member that is open, from 1 in the order of their beginnings; 0: none. */
uint32_t reply_open_member(const Reply *reply);
/* Of REPLY_DONE. */
const WireDone *reply_result(const Reply *reply);
/* Of REPLY_DONE: what takes long was left out. */
bool reply_left_out(const Reply *reply);
/* Of REPLY_OTHER_LANE. */
WireLane reply_lane(const Reply *reply);
