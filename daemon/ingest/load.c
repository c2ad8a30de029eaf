/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/load.h"
#include <unistd.h>

Load *load_new(const char *root, const char *relative, uint64_t ino)
{
	Load *load = g_new0(Load, 1);
	load->root = g_strdup(root);
	load->relative = g_strdup(relative);
	load->ino = ino;
	load->max_bytes = UINT64_MAX;
	load->fd = -1;
	return load;
}

void load_free(Load *load)
{
	if (!load)
		return;
	if (load->fd >= 0)
		close(load->fd);
	g_clear_pointer(&load->bytes, g_bytes_unref);
	if (load->page) {
		g_free(load->page->store);
		g_free(load->page->url);
		g_free(load->page->media_type);
		g_free(load->page);
	}
	g_free(load->part);
	g_free(load->root);
	g_free(load->relative);
	g_free(load);
}
