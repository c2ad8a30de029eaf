/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox-filter.h - the seccomp filters, compiled */
#pragma once
#include <glib.h>
#include <linux/filter.h>
#include <stdbool.h>

typedef struct {
	struct sock_filter *instructions;
	unsigned short length;
} JailFilter;

/* For the parent, with what forking and reaping children needs; for a child; for a child that may
 * start threads. */
typedef enum { JAILED_PARENT, JAILED_CHILD, JAILED_THREADS } JailedKind;

/* may_open: opening files for reading is
 * allowed (Landlock says which). Returns false if libseccomp cannot. */
bool jail_filter_build(JailFilter *filter, JailedKind kind, bool may_open);
void jail_filter_clear(JailFilter *filter);
/* Into force for this process, for good; it may signal itself alone. Needs no_new_privs. */
bool jail_filter_load(const JailFilter *filter);
