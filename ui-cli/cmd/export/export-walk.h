/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-walk.h - goes through the contents of the index that may be exported
 *
 * A content has the documents of equal files, and a place for each of the files. The walk takes a
 * short transaction for each content, so that it holds up neither the daemon nor its checkpoints,
 * however long the conversions take. */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct {
	uint64_t documents, places; /* that were written */
	uint64_t appended; /* documents of the contents that were appended */
	uint64_t changed; /* places that were left out, because the file is not what was indexed */
	uint64_t offline; /* places that were left out, because their disk is away */
	uint64_t without_text; /* documents whose text could not be had */
} ExportCounts;

typedef struct ExportWalk ExportWalk;

/* text: the lines have texts and facts. cli must outlive the walk. NULL with error. */
ExportWalk *export_walk_new(Cli *cli, const char *host, bool text, GError **error);
/* From here on lines and places have words (export-words.h). */
void export_walk_add_words(ExportWalk *walk);
void export_walk_free(ExportWalk *walk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExportWalk, export_walk_free)

const char *export_walk_instance(const ExportWalk *walk); /* reader_identity() */
const ExportCounts *export_walk_counts(const ExportWalk *walk);

/* Begins anew, and forgets what it knows of permissions and of disks. False with error. */
bool export_walk_restart(ExportWalk *walk, GError **error);
/* Goes to the next content that has a place, or had one and is read again. 1: found; 0: there is
 * none; -1: error. */
int export_walk_next(ExportWalk *walk, GError **error);
/* Has the content at hand a place? Without one nobody sees its documents, which wait for its file
 * to be read again. */
bool export_walk_has_place(const ExportWalk *walk);
/* Goes to this content. 0: it is gone, or has no place now. */
int export_walk_find(ExportWalk *walk, int64_t content, GError **error);

/* Appends {"content":N,"documents":[N, …],"places":[…]} of the content, as a line. A content at
 * hand can be appended or written once. */
bool export_walk_append_content(ExportWalk *walk, GString *out, GError **error);
/* The same for any content, which may be gone: its lists are empty then. */
bool export_walk_append_change(ExportWalk *walk, int64_t content, GString *out, GError **error);
/* Calls f with the line of each document of the content, now or later, at the latest in
 * export_walk_flush(). line: with its newline, borrowed; f may change it. A document may come
 * twice: the last line is the right one. f returns false with error to end. */
typedef bool (*ExportLineFunc)(int64_t document, GString *line, void *data, GError **error);
bool export_walk_documents(ExportWalk *walk, ExportLineFunc f, void *data, GError **error);
bool export_walk_flush(ExportWalk *walk, GError **error);
