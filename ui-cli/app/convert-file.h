/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert-file.h - converts one file in the sandbox for the verbs that show text */
#pragma once
#include "common/sandbox/converter.h"
#include "index/read/reader.h"
#include "ui-cli/app/cli.h"

/* The converter's options from the configuration. */
ConverterOptions convert_options(const Settings *settings);
/* Returns the file itself, then its members. NULL with error if the file cannot be opened or the
 * converter does not start. A failed conversion is a document in STATE_FAILED. GPtrArray of
 * Document; the caller unrefs it. */
GPtrArray *convert_file(Cli *cli, const char *path, GError **error);
/* The same for a file as a site sent it, for this purpose. word: of the command line; "-" is
 * standard input, up to 256 MiB. url: the absolute address that its links are resolved against, or
 * NULL. */
GPtrArray *convert_fetched(
        Cli *cli, const char *word, JobPurpose purpose, const char *url, GError **error);
/* The same for bytes that a site sent: a sealed memfd, which is closed. */
GPtrArray *convert_answer(
        Cli *cli, int memfd, uint64_t size, JobPurpose purpose, const char *url, GError **error);
/* The file that a conversion reads for an entry of the index. */
typedef struct {
	int fd; /* -1: none */
	uint64_t size;
	char *name; /* as a hint */
	JobPurpose purpose;
	char *url; /* against which links are resolved; NULL: none */
	char *charset; /* that its server declared; NULL: none */
	char *scope; /* as the daemon keeps files apart, so that a child gets no others together */
} ConvertSource;
void convert_source_clear(ConvertSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ConvertSource, convert_source_clear)
/* Opens the file of an entry as open_indexed() does, or the kept bytes of a page. The caller clears
 * *out, also after an error. */
bool convert_source_open(Cli *cli, const Info *info, ConvertSource *out, GError **error);
/* Returns the text of this entry from the cache or from its file. NULL with error (as
 * open_indexed()); NULL without error if the file no longer contains it. The caller frees it. */
Document *convert_entry(Cli *cli, const Info *info, GError **error);
