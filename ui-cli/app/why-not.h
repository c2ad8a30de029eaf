/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why-not.h - what keeps a path out of the index */
#pragma once
#include "ui-cli/app/cli.h"

/* A sentence for a person: the rule, the permission, the missing watch. path: absolute. Yours. */
char *why_not_indexed(Cli *cli, const Settings *settings, const char *path);
