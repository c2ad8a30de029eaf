/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include <locale.h>
#include <stdlib.h>

void i18n_bind(void)
{
	const char *directory = getenv("TARSIER_LOCALE");
	bindtextdomain(TEXT_DOMAIN, directory && *directory ? directory : LOCALEDIR);
	bind_textdomain_codeset(TEXT_DOMAIN, "UTF-8");
}

void i18n_init(void)
{
	setlocale(LC_ALL, "");
	i18n_bind();
	(void)dgettext(TEXT_DOMAIN, "no error"); /* any message loads the catalogue */
}
