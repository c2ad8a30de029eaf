/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/entry.h"
#include "common/base/doctype.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"
#include <string.h>

const char *entry_type(const Info *info)
{
	return info->stat.kind == ENTRY_DIR && !info->member ? "folder" : doctype_of(info->mime);
}

const char *entry_kind(const Info *info)
{
	static const char *const kinds[] = {
	        [ENTRY_FILE] = "file",
	        [ENTRY_DIR] = "dir",
	        [ENTRY_LINK] = "link",
	        [ENTRY_OTHER] = "other",
	};
	return info->member ? "member" : kinds[info->stat.kind];
}

/* For people; the names above are those of JSON. */
static const char *entry_translated(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return _(*names);
	return name;
}

const char *entry_kind_text(const Info *info)
{
	static const char *const kinds[] = {
	        N_("file"), N_("dir"), N_("link"), N_("other"), N_("member"), NULL};
	return entry_translated(kinds, entry_kind(info));
}

const char *entry_state_text(const Info *info)
{
	static const char *const states[] = {N_("ok"), N_("stale"), N_("offline"), N_("failed"),
	        N_("pending"), N_("truncated"), NULL};
	return entry_translated(states, info_state_name(info));
}

void entry_json_mode(GString *out, const Info *info)
{
	g_autofree char *mode = g_strdup_printf("%04o", info->stat.mode & 07777);
	json_text(out, "mode", mode);
}

static void append_simhash(GString *out, const Info *info)
{
	g_autofree char *simhash = NULL;
	if (info->has_near)
		simhash = g_strdup_printf("%016" G_GINT64_MODIFIER "x", info->near.simhash);
	json_text(out, "simhash", simhash);
}

static int64_t mtime_ns(const Info *info)
{
	return info->member && info->member_mtime_ns ? info->member_mtime_ns : info->stat.mtime_ns;
}

void entry_json(GString *out, const Info *info)
{
	json_path(out, info->path);
	json_bytes(out, "member", info->member);
	json_text(out, "kind", entry_kind(info));
	json_text(out, "source", entry_source_name(info->source));
	json_text(out, "mime", info->mime);
	if (info_size(info) >= 0)
		json_int(out, "size", info_size(info));
	else
		json_nil(out, "size");
	json_int(out, "mtime_ns", mtime_ns(info));
	json_unsigned(out, "inode", info->stat.ino);
	json_unsigned(out, "uid", info->stat.uid);
	json_unsigned(out, "gid", info->stat.gid);
	entry_json_mode(out, info);
	json_hex(out, "checksum", info->has_checksum ? info->checksum : NULL, CHECKSUM_BYTES);
	append_simhash(out, info);
	json_text(out, "state", info_state_name(info));
	json_text(out, "reason",
	        info->reason != REASON_NONE ? document_reason_name(info->reason) : NULL);
}

char *entry_problem(const Info *info)
{
	return document_problem_text(info->reason, info->detail);
}
