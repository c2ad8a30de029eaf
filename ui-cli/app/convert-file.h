/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert-file.h - one file through the sandboxed converter, on behalf of whoever shows text */
#pragma once
#include "common/sandbox/converter.h"
#include "index/read/reader.h"
#include "ui-cli/app/cli.h"

/* Options and limits from the configuration. */
ConverterOptions convert_options(const Settings *settings);
/* The file itself first, then its members; NULL with error if it cannot be opened or the converter
 * does not start. A conversion that fails is a document in STATE_FAILED. GPtrArray of Document,
 * yours. */
GPtrArray *convert_file(Cli *cli, const char *path, GError **error);
/* The text of this entry from the cache, or from its file. NULL with error, or without: the file
 * has it no more. Yours. */
Document *convert_entry(Cli *cli, const Info *info, GError **error);
