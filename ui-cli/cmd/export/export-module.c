/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-module.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/confine.h"
#include <dlfcn.h>
#include <string.h>

/* Beginnings of addresses, and their modules. */
static const struct {
	const char *begin, *name;
} modules[] = {{"postgresql://", "postgresql"}, {"postgres://", "postgresql"},
        {"https://", "opensearch"}, {"http://", "opensearch"}};

static const char *export_module_name(const char *target)
{
	for (size_t i = 0; i < G_N_ELEMENTS(modules); i++)
		if (g_str_has_prefix(target, modules[i].begin))
			return modules[i].name;
	return NULL;
}

const ExportTargetFunctions *export_module_load(const char *target, GError **error)
{
	const char *name = export_module_name(target), *dir = g_getenv("TARSIER_TARGETS");
	if (!name) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("cannot export to %s: only \"-\", postgresql:// and https:// are known"),
		        target);
		return NULL;
	}
	g_autofree char *path = g_strdup_printf("%s/%s.so", dir ? dir : TARGETDIR, name);
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const ExportTargetFunctions *functions =
	        module ? dlsym(module, EXPORT_TARGET_SYMBOL) : NULL;
	if (functions && functions->version == EXPORT_TARGET_VERSION)
		return functions;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
	        _("this Tarsier cannot export to %s: %s"), target, module ? path : dlerror());
	return NULL;
}

static bool export_module_confine(const char *readable)
{
	return confine_connections(readable) == SANDBOX_FULL;
}

ExportTarget *export_module_open(const ExportTargetFunctions *functions, const char *target,
        const ExportCredentials *credentials, ExportPurpose purpose, GError **error)
{
	const char *certificates = g_getenv("SSL_CERT_FILE");
	const ExportOpening opening = {.target = target,
	        .credentials = credentials,
	        .setup = purpose == EXPORT_TO_SET_UP,
	        .search = purpose == EXPORT_TO_SEARCH,
	        .certificates =
	                certificates && g_path_is_absolute(certificates) ? certificates : NULL,
	        .confine = export_module_confine};
	return functions->open(&opening, error);
}
