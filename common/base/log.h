/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - where log messages go: to the journal under systemd, otherwise to stderr
 *
 * G_LOG_DOMAIN is "tarsier-FOLDER", set in each Makefile.inc. TARSIER_DEBUG=queue,job,... or
 * TARSIER_DEBUG=all shows the g_debug() lines of those topics; a debug line begins with "topic: ".
 * Topics are hints, queue, job (what becomes of each file), watch, tick, commit, sync, journal,
 * manager, converter and main. On stderr, the time of CLOCK_MONOTONIC in seconds stands before it.
 * Never log the content of files or queries. */
#pragma once
#include <glib.h>

/* Installs the log writer. verbose: show g_info() messages too. Call it once, before any thread
 * starts. */
void log_init(const char *program, gboolean verbose);
