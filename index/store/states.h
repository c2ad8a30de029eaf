/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.h - what the database stores by number or key, as SQL text
 *
 * "state = " SQL_INODE_PENDING is "state = 1". The preprocessor cannot print an enumerator, so
 * NUMBER_OF_... repeats its number; the compiler checks that both agree. */
#pragma once
#include "common/base/document.h"
#include <assert.h>
#include <sys/stat.h>

typedef enum { ENTRY_FILE, ENTRY_DIR, ENTRY_LINK, ENTRY_OTHER } EntryKind; /* inode.kind */

static inline EntryKind entry_kind_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return ENTRY_FILE;
	if (S_ISDIR(mode))
		return ENTRY_DIR;
	return S_ISLNK(mode) ? ENTRY_LINK : ENTRY_OTHER;
}

typedef enum { INODE_DONE, INODE_PENDING, INODE_FAILED, INODE_ORPHAN } InodeState; /* inode.state */
/* content.state and fact.state are a DocState; a content whose documents are being written: */
enum { STATE_UNFINISHED = N_STATES };

/* Rows of meta: the last node, and the last document, whose name has its grams in table gram. */
#define META_GRAM_NODES "gram_nodes"
#define META_GRAM_DOCUMENTS "gram_documents"

#define NUMBER_OF_ENTRY_FILE 0
#define NUMBER_OF_ENTRY_DIR 1
#define NUMBER_OF_ENTRY_LINK 2
#define NUMBER_OF_INODE_DONE 0
#define NUMBER_OF_INODE_PENDING 1
#define NUMBER_OF_INODE_FAILED 2
#define NUMBER_OF_INODE_ORPHAN 3
#define NUMBER_OF_STATE_OK 0
#define NUMBER_OF_STATE_NOTHING 1
#define NUMBER_OF_STATE_FAILED 2
#define NUMBER_OF_STATE_UNFINISHED 3
#define NUMBER_OF_REASON_NONE 0
#define NUMBER_OF_REASON_UNREADABLE 14
#define NUMBER_OF_REASON_LIMIT_DAY 22

#define SQL_TEXT_OF(number) #number
#define SQL_NUMBER(number) SQL_TEXT_OF(number)
#define SQL_ENTRY_FILE SQL_NUMBER(NUMBER_OF_ENTRY_FILE)
#define SQL_ENTRY_DIR SQL_NUMBER(NUMBER_OF_ENTRY_DIR)
#define SQL_ENTRY_LINK SQL_NUMBER(NUMBER_OF_ENTRY_LINK)
#define SQL_INODE_DONE SQL_NUMBER(NUMBER_OF_INODE_DONE)
#define SQL_INODE_PENDING SQL_NUMBER(NUMBER_OF_INODE_PENDING)
#define SQL_INODE_FAILED SQL_NUMBER(NUMBER_OF_INODE_FAILED)
#define SQL_INODE_ORPHAN SQL_NUMBER(NUMBER_OF_INODE_ORPHAN)
#define SQL_STATE_OK SQL_NUMBER(NUMBER_OF_STATE_OK)
#define SQL_STATE_NOTHING SQL_NUMBER(NUMBER_OF_STATE_NOTHING)
#define SQL_STATE_FAILED SQL_NUMBER(NUMBER_OF_STATE_FAILED)
#define SQL_STATE_UNFINISHED SQL_NUMBER(NUMBER_OF_STATE_UNFINISHED)
#define SQL_REASON_NONE SQL_NUMBER(NUMBER_OF_REASON_NONE)
#define SQL_REASON_UNREADABLE SQL_NUMBER(NUMBER_OF_REASON_UNREADABLE)
#define SQL_REASON_LIMIT_DAY SQL_NUMBER(NUMBER_OF_REASON_LIMIT_DAY)

#define NUMBER_AGREES(enumerator)                                                                  \
	static_assert(NUMBER_OF_##enumerator == (int)enumerator, "the number of " #enumerator)
NUMBER_AGREES(ENTRY_FILE);
NUMBER_AGREES(ENTRY_DIR);
NUMBER_AGREES(ENTRY_LINK);
NUMBER_AGREES(INODE_DONE);
NUMBER_AGREES(INODE_PENDING);
NUMBER_AGREES(INODE_FAILED);
NUMBER_AGREES(INODE_ORPHAN);
NUMBER_AGREES(STATE_OK);
NUMBER_AGREES(STATE_NOTHING);
NUMBER_AGREES(STATE_FAILED);
NUMBER_AGREES(STATE_UNFINISHED);
NUMBER_AGREES(REASON_NONE);
NUMBER_AGREES(REASON_UNREADABLE);
NUMBER_AGREES(REASON_LIMIT_DAY);

/* web_root.failure: the name of a FetchError, WEB_FAILURE_NOT_KEPT, WEB_FAILURE_NO_FEED, or
 * WEB_FAILURE_STATUS and the status of HTTP. */
#define WEB_FAILURE_NOT_KEPT "not-kept" /* what was answered could not be stored */
#define WEB_FAILURE_NO_FEED "no-feed" /* what was answered is not a feed that could be read */
#define WEB_FAILURE_STATUS "status "
