/* SPDX-License-Identifier: GPL-3.0-or-later */
/* i18n.h - translated messages */
#pragma once
#include <libintl.h>

#define _(text) gettext(text)
#define N_(text) text

/* Chooses the user's locale and loads the messages of its language, while the process may still
 * open files. They are UTF-8 in every locale. $TARSIER_LOCALE is the directory of the catalogues
 * in a tree that is not installed. */
void i18n_init(void);
