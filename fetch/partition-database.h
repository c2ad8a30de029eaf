/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-database.h - the database that crawlers share, asked for one message after the other
 *
 * Each message is one transaction, and its reply is made when it is committed. */
#pragma once
#include "common/ipc/partition-wire.h"

typedef struct PartitionDatabase PartitionDatabase;

PartitionDatabase *partition_database_new(void);
void partition_database_free(PartitionDatabase *database);
/* Serves a message. Returns the body of its reply, floating, and its kind; NULL: there is none, or
 * the message comes at the wrong time. */
GVariant *partition_database_serve(
        PartitionDatabase *database, PartitionKind kind, GVariant *body, PartitionKind *reply_r);
