/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox-filter.h - the seccomp filters, compiled */
#pragma once
#include <glib.h>
#include <linux/filter.h>
#include <stdbool.h>

typedef struct {
	struct sock_filter *instructions;
	unsigned short length;
} SandboxFilter;

/* For the parent, with what forking and reaping children needs; for a child; for a child that may
 * start threads. */
typedef enum { SANDBOXED_PARENT, SANDBOXED_CHILD, SANDBOXED_THREADS } SandboxedKind;

/* may_open: opening files for reading is
 * allowed (Landlock says which). Returns false if libseccomp cannot. */
bool sandbox_filter_build(SandboxFilter *filter, SandboxedKind kind, bool may_open);
void sandbox_filter_clear(SandboxFilter *filter);
/* Into force for this process, for good; it may signal itself alone. Needs no_new_privs. */
bool sandbox_filter_load(const SandboxFilter *filter);
