/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-filter.h - the seccomp filter of tarsier-fetch
 *
 * Every call that is not listed fails with ENOSYS, as on a kernel without it, so that libraries
 * take another way. */
#pragma once
#include <stdbool.h>

/* Applies the filter to this process for good. It must have a single thread and no_new_privs. */
bool fetch_filter_enter(void);
