/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-link.h - tarsier-partition, and the messages to it
 *
 *	engine's thread: partition_link_send() --> the link's thread <--> tarsier-partition
 *	engine's thread: partition_link_take() <-- a place for one reply, and wake()
 *
 * The program is started by each PARTITION_OPEN, and ends when a message fails or the link is
 * freed. The database may take its time: only the link's thread waits for it. */
#pragma once
#include "common/ipc/partition-wire.h"
#include <stdint.h>

typedef struct PartitionLink PartitionLink;

/* wake: called in the link's thread when there is a reply. */
PartitionLink *partition_link_new(void (*wake)(void *data), void *data);
/* Says goodbye, which may take four seconds, and ends the thread. NULL is allowed. */
void partition_link_free(PartitionLink *link);
/* Is a message under way, or its reply not taken yet? Then nothing may be sent. */
bool partition_link_is_busy(const PartitionLink *link);
/* body is consumed if it is floating. */
void partition_link_send(PartitionLink *link, PartitionKind kind, GVariant *body);

typedef struct {
	PartitionKind kind; /* of the message that was sent */
	GVariant *body; /* of its reply; NULL: there is none */
	const char *error; /* why there is none; translated */
	int64_t sent_ms; /* lease_now_ms() before the message was sent */
} PartitionReply;
void partition_reply_free(PartitionReply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PartitionReply, partition_reply_free)
/* NULL: there is no reply yet. */
PartitionReply *partition_link_take(PartitionLink *link);
