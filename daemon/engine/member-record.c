/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/member-record.h"

#define META_MEMBER_RULES "member rules" /* meta key: rules_members_version() */

static bool is_kept_out(const char *member, void *data)
{
	return rules_member_excluded(data, member) != NULL;
}

static bool requeue_members(
        Writer *writer, const Rules *rules, uint32_t version, unsigned *queued_r, GError **error)
{
	return version == 0 ? writer_requeue_containers(writer, queued_r, error)
	                    : writer_requeue_members(
	                              writer, is_kept_out, (void *)rules, queued_r, error);
}

bool member_record_use(Writer *writer, const Rules *rules, unsigned *queued_r, GError **error)
{
	uint32_t version = rules_members_version(rules);
	g_autofree char *value = g_strdup_printf("%u", version);
	int64_t before;
	*queued_r = 0;
	/* An index without the key has everything: it was made before there were such rules. */
	return writer_get_meta_int(writer, META_MEMBER_RULES, 0, &before, error) &&
	       (before == version ||
	               (requeue_members(writer, rules, version, queued_r, error) &&
	                       writer_set_meta(writer, META_MEMBER_RULES, value, error)));
}
