/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-serve.h - a server of the Model Context Protocol on standard input and output
 *
 * Versions: 2026-07-28, where each request says its version, and 2025-11-25 and 2025-06-18, which
 * begin with a handshake. Requests are answered one after the other, in their order. */
#pragma once
#include "ui-cli/app/cli.h"

/* Serves until the input ends or nobody reads the output. Returns the exit code. */
int mcp_serve(Cli *cli);
