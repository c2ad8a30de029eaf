/* SPDX-License-Identifier: GPL-3.0-or-later */
/* i18n.h - translated messages */
#pragma once
#include <libintl.h>

/* From this project's catalogue in every program, also in one that has another as its own. */
#define TEXT_DOMAIN "tarsier"
#define _(text) dgettext(TEXT_DOMAIN, text)
#define N_(text) text
#undef ngettext
#define ngettext(one, many, n) dngettext(TEXT_DOMAIN, one, many, n)

/* Chooses the user's locale and loads the messages of its language, while the process may still
 * open files. They are UTF-8 in every locale. $TARSIER_LOCALE is the directory of the catalogues
 * in a tree that is not installed. */
void i18n_init(void);
/* The same in a program that has chosen its locale: only the catalogue is named. */
void i18n_bind(void);
