/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-search.h - asks the server for a page of hits
 *
 * The server confines each request to what the user may read (document-level security); nothing is
 * filtered here. Its answer is hostile until checked. */
#pragma once
#include "ui-cli/cmd/export/opensearch-client.h"

/* The function search() of a target. index: its name. */
bool os_search(OsClient *client, const char *index, const ExportSearch *search,
        ExportAnswer *answer, ExportHitFunc f, void *data, GError **error);
