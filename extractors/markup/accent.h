/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accent.h - letters with the accents of TeX and troff, which both write as a sign and a letter */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* sign: of TeX's \`e \'e \^e \"e \~n \=a \.z \u \v \H \c \d \b \r \k; ',' is c, ':' is '"', as
 * troff has them. Appends the letter with its accent, composed (NFC). False, and nothing done, for
 * other signs. */
bool accent_append(GString *out, char sign, gunichar letter);
