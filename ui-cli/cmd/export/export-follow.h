/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-follow.h - keeps a target in step with the index
 *
 * Two lanes: places, permissions and deletions go first, and wait for no text. Texts follow, one
 * content at a time, and the first lane is looked at after each. The number of the last change is
 * stored in the target when both lanes are empty. A target without a number that the log of changes
 * (index/read/reader-changes.h) reaches is compared whole, as is every target once a day: the log
 * does not tell of changes above the watched directories, of memberships in groups, and of disks
 * that come and go. */
#pragma once
#include "ui-cli/app/index-changes.h"
#include "ui-cli/cmd/export/export-target.h"
#include "ui-cli/cmd/export/export-walk.h"

typedef struct {
	Cli *cli; /* connected to the daemon; its reader is open */
	ExportWalk *walk;
	const ExportTargetFunctions *functions;
	ExportTarget *target; /* begun */
	const char *name; /* of the consumer */
	int64_t seq; /* that the target has */
	bool rereads; /* the target may go back (writer-changes.h) */
	IndexChanges *changes; /* NULL: end when everything is in step */
} ExportFollowOptions;

typedef enum {
	EXPORT_FOLLOW_DONE, /* in step, or SIGTERM */
	EXPORT_FOLLOW_INTERRUPTED,
	EXPORT_FOLLOW_AGAIN, /* the index was replaced, or the log ended: start anew */
	EXPORT_FOLLOW_ERROR,
} ExportFollowEnd;
ExportFollowEnd export_follow(const ExportFollowOptions *options, GError **error);
