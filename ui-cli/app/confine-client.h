/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine-client.h - the client gives up what it does not need before it parses the index
 *
 * The index and the text cache may be hostile. From then on the client reads the system, the
 * configuration, the index and the watched directories, and connects to nothing. */
#pragma once
#include "ui-cli/app/cli.h"
#include "common/sandbox/converter.h"

/* Call it before cli_reader() and after cli_daemon(). any_file: the user named files, which may be
 * anywhere. Returns what the kernel provides. */
SandboxLevel confine_client(Cli *cli, bool any_file);
/* For a server, which may begin before there is an index: makes the directory of the user's own
 * index, because once confined it would not see one that was made later. Call it before
 * confine_client().
 */
void confine_client_make_index_dir(const Cli *cli);
/* For a search elsewhere: the same, but of files only the system can be read, and nothing written.
 */
SandboxLevel confine_client_to_system(void);
/* For "tarsier doctor": confines this program as it does for its work, and prints the name of what
 * the kernel provides. Returns the exit code. */
int confine_client_tell(Cli *cli);
