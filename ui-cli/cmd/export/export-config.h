/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-config.h - the sections [export NAME] of the configuration */
#pragma once
#include "ui-cli/cmd/export/export-target.h"
#include "ui-cli/app/cli.h"

typedef struct {
	char *to; /* never empty */
	char *credentials; /* absolute path of a file; NULL: none */
} ExportConfig;

/* Reads the section of an export. EXPORT_ERROR_REFUSED: there is none, or it is incomplete. */
bool export_config_read(Cli *cli, const char *name, ExportConfig *out, GError **error);
void export_config_clear(ExportConfig *config);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ExportConfig, export_config_clear)

/* As cli_fail(), for errors of an export and its target too. */
int export_fail(const GError *error);
