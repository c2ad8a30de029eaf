/* SPDX-License-Identifier: GPL-3.0-or-later */
/* member-record.h - the rules for files in containers that the index was made with
 *
 * The index has a number for them, so that other rules are noticed, those of another configuration
 * and those of another version of the program. */
#pragma once
#include "common/rules/rules.h"
#include "index/write/writer.h"

/* Makes the containers pending that the rules concern, if they are others: those with a file that
 * is kept out now, or, if none is kept out any longer, all. Notes the rules, in the same
 * transaction. *queued_r: number of files that became pending. Errors: those of the writer. */
bool member_record_use(Writer *writer, const Rules *rules, unsigned *queued_r, GError **error);
