/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limit-record.h - the limits of the configuration that the index was made with
 *
 * They stand in the index, so that a changed limit is noticed after a new start too. */
#pragma once
#include "common/settings/settings.h"
#include "index/write/writer.h"

/* Makes the files pending that a changed limit concerns: what a limit kept out or cut that is
 * higher now, and what is larger than a lower limit of files. Other lower limits hold for later
 * conversions. Stores the limits, in the same transaction. *queued_r: number of files that became
 * pending. Errors: those of the writer. */
bool limit_record_use(Writer *writer, const Settings *settings, unsigned *queued_r, GError **error);
