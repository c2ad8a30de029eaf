/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups-rules.h - "dups --rules": which directories mirror each other, and how to exclude them */
#pragma once
#include "ui-cli/app/cli.h"

/* dir: list only rules below it; absolute, or NULL. Returns the exit code. */
int dups_rules(Cli *cli, const char *dir);
