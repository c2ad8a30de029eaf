/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-texts.h - the texts of files, from the cache or from the sandbox
 *
 * One converter lives as long as the export, at the lowest priority. A file that takes over its
 * child can forge the texts of the files of its scope (converter_file_scope()) that are converted
 * with it, as in the index (SECURITY.md).
 *
 * A child costs more than the conversion of a small file, and the index has its contents in no
 * order of directories. So up to 1,024 small files, of 4 MiB together, wait until they are
 * converted scope by scope. */
#pragma once
#include "common/base/document.h"
#include "ui-cli/app/cli.h"

typedef struct ExportTexts ExportTexts;

/* Starts nothing yet. cli must outlive it. */
ExportTexts *export_texts_new(Cli *cli);
void export_texts_free(ExportTexts *texts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExportTexts, export_texts_free)

/* info: a row of the file. doc: its text, borrowed; NULL: it could not be had. */
typedef void (*ExportTextFunc)(const Info *info, const Document *doc, void *data);
/* Calls f for each of the rows of one file (the file and its members, GPtrArray of Info) at least
 * once, in any order: now or later, at the latest in export_texts_flush(), for small files are
 * converted together. A conversion that starts again calls it again for the same row: the last call
 * is the right one. Then calls free_data, which may be NULL, for data. False with error if no
 * converter can be started. */
bool export_texts_add(ExportTexts *texts, GPtrArray *infos, ExportTextFunc f, void *data,
        GDestroyNotify free_data, GError **error);
/* Converts the files that wait. */
void export_texts_flush(ExportTexts *texts);
