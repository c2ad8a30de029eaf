/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - where messages go: the journal under systemd, else stderr
 *
 * G_LOG_DOMAIN is "tarsier-FOLDER", set in each Makefile.inc. TARSIER_DEBUG=watch,queue,... or
 * "all" shows g_debug() lines of those topics; a debug line begins with "topic: ". Never content of
 * files or queries. */
#pragma once
#include <glib.h>

/* verbose: g_info too. Call once, before threads. */
void log_init(const char *program, gboolean verbose);
