/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy-names.h - names that people and programs give to copies and older versions
 *
 * A guess from the name alone: "Backup", "old", "~", ".bak", "Copy of", in the languages that
 * desktops use for it. It decides only about the order of hits. */
#pragma once
#include <stdbool.h>

/* True if a component of the path says that it is a copy: the name of the file ("a.txt~",
 * "a.bak", "a (copy).txt", "Copy of a.txt"), or a directory ("Backup 2023", "old"). The path is
 * absolute, raw bytes. */
bool copy_names_path(const char *path);
