/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include <locale.h>
#include <stdlib.h>

void i18n_init(void)
{
	const char *directory = getenv("TARSIER_LOCALE");
	setlocale(LC_ALL, "");
	bindtextdomain(PACKAGE, directory && *directory ? directory : LOCALEDIR);
	bind_textdomain_codeset(PACKAGE, "UTF-8");
	textdomain(PACKAGE);
	(void)gettext("no error"); /* any message loads the catalogue */
}
