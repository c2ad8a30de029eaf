/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - texts about one index entry, shared by list, info, failed and search */
#pragma once
#include "index/read/reader.h"

/* "document", "text", ..., "folder", "other". Static. */
const char *entry_type(const Info *info);
/* "file", "dir", "member", "link" or "other". Static. */
const char *entry_kind(const Info *info);
/* Kind and state in the user's language. Static. */
const char *entry_kind_text(const Info *info);
const char *entry_state_text(const Info *info);
/* Appends "mode": "0644". A member has the mode of its container. */
void entry_json_mode(GString *out, const Info *info);
/* Appends the keys of "list --json" to an open object. */
void entry_json(GString *out, const Info *info);
/* Why the entry failed or was cut: "it is damaged: Invalid XRef entry"; NULL if nothing is wrong.
 * The caller frees it. */
char *entry_problem(const Info *info);
