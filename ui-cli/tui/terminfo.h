/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminfo.h - is the terminal on stdout known (TERM, terminfo(5))? */
#pragma once
#include <stdbool.h>

bool terminal_is_known(void);
