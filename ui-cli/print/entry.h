/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - words for one entry of the index, shared by list, info, failed and search */
#pragma once
#include "index/read/reader.h"

/* "document", "text", ..., "folder", "other". Static. */
const char *entry_type(const Info *info);
/* "file", "dir", "member", "link" or "other". Static. */
const char *entry_kind(const Info *info);
/* "mode": "0644", also for members: that of their container. */
void entry_json_mode(GString *out, const Info *info);
/* The keys of "list --json" into an open object. */
void entry_json(GString *out, const Info *info);
/* Why it failed or is cut: "it is damaged: Invalid XRef entry"; NULL if nothing is wrong. Yours. */
char *entry_problem(const Info *info);
