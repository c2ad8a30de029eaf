/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - checks the frames of one conversion and turns them into Documents
 *
 * Everything that a child sends is hostile until it is checked here: kinds, order, nesting, job
 * number, UTF-8, names of types and plugins, and limits on each document, on the number of
 * documents and on the bytes of the whole job. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

typedef struct Reply Reply;

typedef enum {
	REPLY_MORE, /* the job continues */
	REPLY_DONE, /* all documents were delivered, the outermost last */
	REPLY_OTHER_LANE, /* all delivered documents are void */
	REPLY_BAD, /* the child broke the protocol: ignore everything else it sends */
} ReplyState;

/* Returns the canonical name of a plugin and its version; NULL if there is no such plugin. */
typedef const char *ReplyPlugin(const char *name, uint32_t *version_r, void *data);

typedef struct {
	uint32_t job;
	WireLane lane; /* the lane in which the job runs */
	uint64_t size; /* of the file, in bytes */
	const ExtractLimits *limits; /* copied */
	bool followed; /* answers to other jobs may follow in the packet of the final frame */
	ReplyPlugin *plugin;
	/* Takes bytes of the member that was asked for; false if they cannot be kept. NULL: none
	 * was asked for. */
	bool (*bytes)(const uint8_t *bytes, size_t length, void *data);
	/* Takes the picture of a job of JOB_PICTURE, whose size is right. NULL: none was asked
	 * for. */
	void (*picture)(unsigned width, unsigned height, const uint8_t *pixels, void *data);
	/* The callee frees the document. */
	void (*document)(Document *doc, void *data);
	void *data;
} ReplySetup;

Reply *reply_new(const ReplySetup *setup);
/* Drops documents that are not delivered yet. */
void reply_free(Reply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reply, reply_free)

/* Feeds one packet from *position on, and moves *position past the last frame that was taken. Do
 * not call it again after any result but REPLY_MORE. */
ReplyState reply_packet(Reply *reply, const uint8_t *packet, size_t length, size_t *position);

/* The child ended early: delivers the documents that are still open as failed for this reason,
 * innermost first, with the text read so far. Documents without a type or text are dropped. detail
 * is copied. Do not call reply_packet() afterwards. */
void reply_fail_open(Reply *reply, DocReason reason, const char *detail);

/* Number of the open member, counted from 1 in the order of their beginnings; 0 if none is open. */
uint32_t reply_open_member(const Reply *reply);
/* Valid after REPLY_DONE. */
const WireDone *reply_result(const Reply *reply);
/* Valid after REPLY_DONE: slow work was left out. */
bool reply_left_out(const Reply *reply);
/* Valid after REPLY_OTHER_LANE. */
WireLane reply_lane(const Reply *reply);
