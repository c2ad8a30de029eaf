/* SPDX-License-Identifier: GPL-3.0-or-later */
/* i18n.h - translated messages. Each program calls setlocale(), bindtextdomain() and textdomain()
 * itself. */
#pragma once
#include <libintl.h>

#define _(text) gettext(text)
#define N_(text) text
