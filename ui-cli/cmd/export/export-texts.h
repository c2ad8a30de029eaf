/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-texts.h - the texts of one file after the other, from the cache or from the sandbox
 *
 * One converter lives as long as the export, at the lowest priority. */
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
 * once, in any order. A container whose conversion starts again calls it again for the same row:
 * the last call is the right one. False with error if no converter can be started. */
bool export_texts_read(
        ExportTexts *texts, const GPtrArray *infos, ExportTextFunc f, void *data, GError **error);
