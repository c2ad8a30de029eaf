/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine-calls.h - the seccomp filter of the daemon and the client
 *
 * It allows what confine-calls.txt lists, local sockets only, and no memory that is writable and
 * executable at once. Every other call fails with ENOSYS, as on a kernel without it, so that a
 * newer C library takes the older way; nothing is killed. The filter is written out as BPF instead
 * of by libseccomp, with which making it takes seven times as long: a tenth of a short search. */
#pragma once
#include <stdbool.h>

/* Confines this thread and all that it starts, for good. network: sockets of IPv4 and IPv6 may be
 * made and connected instead of local ones. Needs no_new_privs. False: the kernel has
 * no seccomp filters, or nobody has told us its architecture yet. */
bool confine_calls(bool network);
