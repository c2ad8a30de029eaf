/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge-again.h - visits directories whose rule depends on an entry that came or went (part of
 * crawl.h) */
#pragma once
#include "daemon/crawl/crawl.h"

/* Marks the directories for which the entry called name in dir is a witness: dir itself, the one
 * above it and their children. Costs no query unless the name is one of a witness. */
bool judge_again(Crawl *crawl, Dir *dir, const char *name, GError **error);
