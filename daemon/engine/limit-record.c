/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/limit-record.h"

/* Keys of [limits], and why a file fails or is cut that exceeds them. */
static const struct {
	const char *name;
	DocReason reason;
} record_limits[] = {
        {"file", REASON_LIMIT_FILE},
        {"text", REASON_LIMIT_TEXT},
        {"unpacked", REASON_LIMIT_UNPACKED},
        {"ratio", REASON_LIMIT_UNPACKED},
        {"members", REASON_LIMIT_MEMBERS},
        {"depth", REASON_LIMIT_DEPTH},
        {"time", REASON_LIMIT_TIME},
        {"memory", REASON_LIMIT_MEMORY},
        {"memory-pdf", REASON_LIMIT_MEMORY},
};

static bool requeue_limit(
        Writer *writer, size_t limit, int64_t before, int64_t now, unsigned *total, GError **error)
{
	DocReason reason = record_limits[limit].reason;
	unsigned queued = 0;
	bool done = true;
	if (now > before)
		done = writer_requeue_reason(writer, reason, &queued, error);
	else if (reason == REASON_LIMIT_FILE)
		done = writer_requeue_larger(writer, now, &queued, error);
	*total += queued;
	return done;
}

bool limit_record_use(Writer *writer, const Settings *settings, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(record_limits); i++) {
		const char *name = record_limits[i].name;
		g_autofree char *key = g_strconcat("limit ", name, NULL);
		int64_t before, now = settings_int(settings, "limits", name, NULL);
		g_autofree char *value = g_strdup_printf("%" G_GINT64_FORMAT, now);
		if (!writer_get_meta_int(writer, key, -1, &before, error))
			return false;
		if (before == now)
			continue;
		/* An index that does not have the key was made with these limits, as far as is
		 * known. */
		if (before >= 0 && !requeue_limit(writer, i, before, now, queued_r, error))
			return false;
		if (!writer_set_meta(writer, key, value, error))
			return false;
	}
	return true;
}
