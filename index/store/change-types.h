/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change-types.h - the log of changes, for those who copy the index elsewhere
 *
 * Each commit appends what it changed: contents, whose documents or places differ from before, and
 * directories, which changed for all contents below them. A row says that something changed, and
 * not what: whoever follows reads the present state, so that rows may be read twice. The rows of
 * one commit become readable together. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	CHANGE_NONE, /* the log begins; these numbers are in the file, append only */
	CHANGE_CONTENT,
	CHANGE_DIRECTORY, /* its permissions, or its path */
} ChangeKind;

typedef struct {
	int64_t seq;
	ChangeKind kind;
	int64_t id; /* of the content, or of the inode of the directory */
	int64_t time_ns; /* when permissions or a name changed, by the ctime; 0: something else
	                    changed */
} Change;

enum {
	CHANGES_KEPT = 10000, /* these last changes are kept even if all consumers have them */
	CHANGES_MOST = 20000, /* or as many as there are files: more are kept for no consumer */
	CONSUMERS_MOST = 32,
	CONSUMER_NAME_BYTES = 64,
	CONSUMER_FAILURE_BYTES = 400,
};

/* Names are made of ASCII letters, digits, "-", "_" and ".", and begin with a letter or digit. */
bool consumer_name_is_valid(const char *name);
