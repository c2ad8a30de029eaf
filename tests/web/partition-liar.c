/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-liar.c - stands in for tarsier-partition: its crawler has all hosts, and each part of
 * the list of their URLs says that there are more, and has none. Lines on standard error count the
 * parts, and name the pages that it is told of as read. */
#include <config.h>
#include "common/ipc/partition-wire.h"
#include <stdint.h>
#include <stdio.h>

enum { CONTROL_FD = 3, LEASE_MS = 60000 };

static char *crawler;
static GVariant *wanted; /* hosts */

static GVariant *opened(GVariant *body)
{
	g_free(crawler);
	g_variant_get_child(body, 1, "s", &crawler);
	return g_variant_new(PARTITION_OPENED_TYPE, PARTITION_OK, "", (gint64)LEASE_MS, (gint64)1);
}

static void print_read(GVariant *body)
{
	GVariantIter iter;
	const char *origin, *path;
	uint32_t status;
	g_autoptr(GVariant) urls = g_variant_get_child_value(body, 7);
	g_variant_iter_init(&iter, urls);
	while (g_variant_iter_next(&iter, "(&sx&syuyuyxxddu)", &origin, NULL, &path, NULL, NULL,
	        NULL, &status, NULL, NULL, NULL, NULL, NULL, NULL))
		if (status == 200)
			fprintf(stderr, "partition-liar: read %s%s\n", origin, path);
}

static GVariant *synced(GVariant *body)
{
	GVariantBuilder kept, crawlers, held;
	GVariantIter iter;
	const char *host;
	gboolean replace;
	g_autoptr(GVariant) states = g_variant_get_child_value(body, 4);
	g_variant_builder_init(&kept, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&crawlers, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&held, G_VARIANT_TYPE("a(sxu)"));
	print_read(body);
	g_variant_get_child(body, 2, "b", &replace);
	if (replace) {
		g_clear_pointer(&wanted, g_variant_unref);
		wanted = g_variant_get_child_value(body, 3);
	}
	g_variant_iter_init(&iter, states);
	while (g_variant_iter_next(&iter, "(&sxxuu)", &host, NULL, NULL, NULL, NULL))
		g_variant_builder_add(&kept, "s", host);
	g_variant_builder_add(&crawlers, "s", crawler);
	g_variant_iter_init(&iter, wanted);
	while (g_variant_iter_next(&iter, "&s", &host))
		g_variant_builder_add(&held, "(sxu)", host, (gint64)1000, 0);
	return g_variant_new("(usxasas@a(ss)@a(sx)a(sxu)@a" PARTITION_URL "x@a(xss))", PARTITION_OK,
	        "", (gint64)LEASE_MS, &kept, &crawlers, g_variant_new("a(ss)", NULL),
	        g_variant_new("a(sx)", NULL), &held, g_variant_new("a" PARTITION_URL, NULL),
	        (gint64)1, g_variant_new("a(xss)", NULL));
}

static GVariant *reply_to(PartitionKind kind, GVariant *body)
{
	if (kind == PARTITION_OPEN)
		return opened(body);
	if (kind == PARTITION_SYNC)
		return synced(body);
	if (kind != PARTITION_LOAD)
		return NULL;
	fputs("partition-liar: load\n", stderr);
	return g_variant_new("(usb@a" PARTITION_URL ")", PARTITION_OK, "", TRUE,
	        g_variant_new("a" PARTITION_URL, NULL));
}

int main(void)
{
	for (;;) {
		PartitionKind kind;
		g_autoptr(GVariant) body = partition_receive(CONTROL_FD, -1, &kind);
		GVariant *reply = body ? reply_to(kind, body) : NULL;
		if (!reply || !partition_send(CONTROL_FD, kind + 1, reply))
			return 0;
	}
}
