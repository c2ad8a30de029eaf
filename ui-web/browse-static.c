/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-static.h"
#include "ui-web/icon-svg.h"
#include "ui-web/page-css.h"
#include "ui-web/page-js.h"
#include <glib.h>
#include <string.h>

static const BrowseStatic static_files[] = {
        {"/icon.svg", "image/svg+xml", icon_svg},
        {"/page.css", "text/css; charset=utf-8", page_css},
        {"/page.js", "text/javascript; charset=utf-8", page_js},
};

const BrowseStatic *browse_static_find(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(static_files); i++)
		if (strcmp(static_files[i].path, path) == 0)
			return &static_files[i];
	return NULL;
}
