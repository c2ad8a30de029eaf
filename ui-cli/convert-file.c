/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/convert-file.h"
#include "common/autofd.h"
#include "ui-cli/open-file.h"
#include <string.h>

ConverterOptions convert_options(const Settings *settings)
{
	ConverterOptions options = {
	        .children = 1,
	        .allow_unjailed = settings_bool(settings, "daemon", "unjailed", NULL),
	};
	g_strlcpy(options.ocr, settings_string(settings, "daemon", "ocr", NULL), sizeof options.ocr);
	return options;
}

GPtrArray *convert_file(Cli *cli, const char *path, GError **error)
{
	const Settings *settings = cli_settings(cli, error);
	g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	g_autoptr(Converter) converter = NULL;
	ConvertRequest request = {0};
	ConverterOptions options;
	const char *slash = strrchr(path, '/');
	autofd fd = -1;

	if (!settings)
		return NULL;
	fd = open_regular(path, &request.size, error);
	if (fd < 0)
		return NULL;
	options = convert_options(settings);
	converter = converter_start(&options, error);
	if (!converter)
		return NULL;
	request.limits = settings_limits(settings);
	request.fd = autofd_steal(&fd);
	request.name = slash ? slash + 1 : path;
	g_ptr_array_insert(docs, 0, converter_run(converter, &request, docs));
	return g_steal_pointer(&docs);
}
