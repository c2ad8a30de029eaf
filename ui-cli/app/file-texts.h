/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file-texts.h - converts the files of several hits at once, in threads
 *
 * To start a program of extractors takes longer than to convert a small file, and blocks. So each
 * lane (common/sandbox/lane.h) that is needed gets a thread with a converter of its own, up to the
 * number of workers, and the caller does other work meanwhile. Within a lane, small files come
 * first, and files of about the same size in the order in which they were added. The threads own
 * all that they use. They end by themselves after file_texts_free(); nobody waits for them. */
#pragma once
#include "common/base/document.h"
#include "common/settings/settings.h"
#include "index/read/reader.h"
#include "ui-cli/app/page-bytes.h"

typedef struct FileTexts FileTexts;

/* workers: of all lanes together; at most the number of CPUs is used. roots: char *, copied. The
 * files of a lane are given up budget_ms after its extractors have started, and all files after
 * FILE_TEXTS_MAX_MS: a slow start costs no texts, and a hung one does not keep the caller. */
enum { FILE_TEXTS_MAX_MS = 2000 };
FileTexts *file_texts_new(
        const Settings *settings, const GPtrArray *roots, unsigned workers, unsigned budget_ms);
/* Wants the text of an entry or a member, before file_texts_start(). The info is copied. page: the
 * bytes, which the texts own then; NULL: they are those of the file. */
void file_texts_add(FileTexts *texts, const Info *info, PageBytes *page);
/* Starts the threads, if there is anything to convert. */
void file_texts_start(FileTexts *texts);
/* Would file_texts_take() return at once? */
bool file_texts_is_ready(FileTexts *texts, const Info *info);
/* Waits until the text is there, until its file ended without it, or until the time is over. The
 * caller owns the document. NULL: there is none, or it was taken before. */
Document *file_texts_take(FileTexts *texts, const Info *info);
void file_texts_free(FileTexts *texts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FileTexts, file_texts_free)
