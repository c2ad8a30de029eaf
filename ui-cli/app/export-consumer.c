/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/export-consumer.h"
#include "common/ipc/control.h"

enum { CONSUMER_MS = 60000 };
enum { MESSAGE_REACHED, MESSAGE_FAILS, MESSAGE_FORGET }; /* common/ipc/control.h */

static bool export_consumer_call(
        Cli *cli, GVariantDict *dict, gint64 message, gint64 *n_r, GError **error)
{
	g_variant_dict_insert(dict, "message", "x", message);
	g_autoptr(GVariant) arguments = g_variant_ref_sink(g_variant_dict_end(dict));
	if (cli_daemon(cli, error) < 0)
		return false;
	g_autoptr(GVariant) answer =
	        control_call(cli->daemon_fd, "consume", arguments, CONSUMER_MS, error);
	*n_r = 0;
	if (answer)
		g_variant_lookup(answer, "seq", "x", n_r);
	return answer != NULL;
}

static void export_consumer_open(GVariantDict *dict, const char *name)
{
	g_variant_dict_init(dict, NULL);
	g_variant_dict_insert(dict, "name", "s", name);
}

bool export_consumer_reached(Cli *cli, const char *name, int64_t seq, bool rereads,
        int64_t exposure_ms, int64_t *seq_r, GError **error)
{
	GVariantDict dict;
	gint64 n;
	export_consumer_open(&dict, name);
	g_variant_dict_insert(&dict, "seq", "x", (gint64)seq);
	g_variant_dict_insert(&dict, "rereads", "b", rereads);
	g_variant_dict_insert(&dict, "exposure_ms", "x", (gint64)exposure_ms);
	if (!export_consumer_call(cli, &dict, MESSAGE_REACHED, &n, error))
		return false;
	*seq_r = n;
	return true;
}

void export_consumer_fails(Cli *cli, const char *name, const char *why)
{
	GVariantDict dict;
	gint64 n;
	g_autofree char *valid = g_utf8_make_valid(why, -1);
	export_consumer_open(&dict, name);
	g_variant_dict_insert(&dict, "failure", "s", valid);
	export_consumer_call(cli, &dict, MESSAGE_FAILS, &n, NULL);
}

bool export_consumer_forget(Cli *cli, const char *name, bool *known_r, GError **error)
{
	GVariantDict dict;
	gint64 n;
	export_consumer_open(&dict, name);
	if (!export_consumer_call(cli, &dict, MESSAGE_FORGET, &n, error))
		return false;
	*known_r = n > 0;
	return true;
}
