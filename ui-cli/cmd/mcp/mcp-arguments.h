/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-arguments.h - checks the arguments of a tool against its schema, and reads them */
#pragma once
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns what is wrong, which the caller frees; NULL: nothing. schema: an object of tools.json,
 * with the keywords that occur there. arguments: an object, or NULL. */
char *mcp_arguments_fault(const json_t *schema, const json_t *arguments);
/* The values of checked arguments; the preset if one is absent. Strings are borrowed. */
const char *mcp_argument_text(const json_t *arguments, const char *name);
int64_t mcp_argument_number(const json_t *arguments, const char *name, int64_t preset);
bool mcp_argument_flag(const json_t *arguments, const char *name);
