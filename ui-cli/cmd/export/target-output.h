/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target-output.h - standard output as a target of an export that follows the changes
 *
 * It keeps nothing, so it lacks the documents of every content that it is told of. */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/cmd/export/export-target.h"

extern const ExportTargetFunctions export_output;
/* since: the change that the reader of the output has reached; -1: it has nothing. cli must outlive
 * the target, which its function close() frees. */
ExportTarget *export_output_new(Cli *cli, int64_t since);
