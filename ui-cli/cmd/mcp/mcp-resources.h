/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-resources.h - documents as resources, tarsier://ID, the newest first */
#pragma once
#include "ui-cli/cmd/mcp/mcp-call.h"

/* The methods resources/list, resources/templates/list and resources/read. */
void mcp_resources_list(McpCall *call);
void mcp_resources_templates(McpCall *call);
void mcp_resources_read(McpCall *call);
