/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups-rules.h - "dups --rules": what mirrors what, and how to leave it out */
#pragma once
#include "ui-cli/app/cli.h"

/* dir: only rules below it, absolute; or NULL. Returns the exit code. */
int dups_rules(Cli *cli, const char *dir);
