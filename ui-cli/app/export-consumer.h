/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-consumer.h - reports to the daemon how far an export has followed the changes of the
 * index (index/write/writer-changes.h), because the daemon alone writes to the index */
#pragma once
#include "ui-cli/app/cli.h"

/* *seq_r: where the export goes on; another number than seq: it compares everything first.
 * exposure_ms: -1: not known. cli_daemon() must be connected. */
bool export_consumer_reached(Cli *cli, const char *name, int64_t seq, bool rereads,
        int64_t exposure_ms, int64_t *seq_r, GError **error);
/* Tells why the target fails; it does not matter if the daemon cannot be told. */
void export_consumer_fails(Cli *cli, const char *name, const char *why);
/* *known_r: there was such an export. */
bool export_consumer_forget(Cli *cli, const char *name, bool *known_r, GError **error);
