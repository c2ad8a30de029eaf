/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox-filter.h - compiles and loads the seccomp filters */
#pragma once
#include <glib.h>
#include <linux/filter.h>
#include <stdbool.h>

typedef struct {
	struct sock_filter *instructions;
	unsigned short length;
} SandboxFilter;

/* The filter for the parent, which forks and reaps children, and for a child. */
typedef enum { SANDBOXED_PARENT, SANDBOXED_CHILD } SandboxedKind;

/* may_open: files may be opened for reading (Landlock says which). False if libseccomp fails.
 * sandbox_filter_clear() frees the filter. */
bool sandbox_filter_build(SandboxFilter *filter, SandboxedKind kind, bool may_open);
void sandbox_filter_clear(SandboxFilter *filter);
/* Applies the filter to this process for good; a child may signal only itself. Needs
 * no_new_privs. */
bool sandbox_filter_load(const SandboxFilter *filter);
