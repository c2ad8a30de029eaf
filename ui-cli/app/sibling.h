/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sibling.h - a verb that is a program of its own */
#pragma once
#include "ui-cli/app/cli.h"

/* Becomes the program, or the one that the environment variable names, with the words of the
 * command line, the places of configuration and index, and those of the flags (NULL-terminated)
 * that were given. Returns the exit code if it cannot; missing: a format with one %s, what is said
 * if the program is not there. */
int sibling_become(const Cli *cli, const char *variable, const char *program,
        const char *const *flags, const char *missing);
