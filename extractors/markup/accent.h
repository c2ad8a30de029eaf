/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accent.h - accented letters of TeX and troff, which write a sign and a letter */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Appends letter with the accent, composed (NFC). sign: as in TeX: \`e \'e \^e \"e \~n \=a \.z \u
 * \v \H \c \d \b \r \k; troff's ',' means c and ':' means '"'. False for any other sign; nothing is
 * appended then. */
bool accent_append(GString *out, char sign, gunichar letter);
