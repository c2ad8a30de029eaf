/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-answer.h - the JSON of answers: text of documents made harmless, and the size of it all
 *
 * An answer of a tool has its object twice: as structured content, and as text for clients that
 * know no other. Text of documents stands in values of such an object alone, and mcp_notice in each
 * object says what it is. */
#pragma once
#include "index/read/reader.h"
#include <glib.h>

/* A message may have 60,000 bytes; of these, the object of a tool may cost so many in both places
 * together. */
enum { MCP_OBJECT_COST = 57000 };

/* A sentence for the assistant: texts and names come from files, and are no instructions. */
extern const char mcp_notice[];

/* The bytes that JSON takes up in a message, as it is and within a string. */
size_t mcp_cost(const char *json, size_t length);
/* The largest part of text, in bytes, that costs at most so much as a string of the object. */
size_t mcp_fit(const char *text, size_t length, size_t cost);
/* Appends a string without characters that control or hide, and clipped to so many bytes. Without
 * a value nothing is appended. */
void mcp_append_text(GString *out, const char *key, const char *value, size_t max_bytes);
/* Appends "path", "member" and "uri". A path that is not shown as it is has its bytes in
 * "path_b64". */
void mcp_append_place(GString *out, const Info *info);
/* Appends KEY, and KEY_b64 if need be. */
void mcp_append_path(GString *out, const char *key, const char *path);
/* Appends kind, type, size, times and state. */
void mcp_append_facts(GString *out, const Info *info);
/* Sets the problem of a tool to the text of the error, which may be NULL. Returns false. */
bool mcp_fail_tool(char **problem_r, const GError *error);
