/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-module.h - finds the module for a target */
#pragma once
#include "ui-cli/cmd/export/export-target.h"

/* Loads the module that knows addresses such as target, from TARGETDIR or $TARSIER_TARGETS. It
 * stays loaded. NULL with error: no module knows them, or it was not built. */
const ExportTargetFunctions *export_module_load(const char *target, GError **error);
typedef enum { EXPORT_TO_SEND, EXPORT_TO_SET_UP, EXPORT_TO_SEARCH } ExportPurpose;
/* Connects to the target. SSL_CERT_FILE in the environment names the certificates to trust. */
ExportTarget *export_module_open(const ExportTargetFunctions *functions, const char *target,
        const ExportCredentials *credentials, ExportPurpose purpose, GError **error);
