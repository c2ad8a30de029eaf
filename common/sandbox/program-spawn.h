/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program-spawn.h - starts a confined program of Tarsier with one end of a control socket */
#pragma once
#include <sys/types.h>

/* The environment of a confined program: a fixed locale, PATH and HOME, and of our own environment
 * only the options of sanitizers and the names in kept (NULL-terminated; NULL: none). No LD_*, no
 * proxy, and no settings of libraries or the resolver. The caller frees it with g_strfreev(). */
char **program_environment(const char *const *kept);

/* Starts the program at path. Its standard input and output are /dev/null, descriptor 3 is its end
 * of a new SOCK_SEQPACKET socket pair, and all signals are as at a login. environment:
 * NULL-terminated. *control_r: our end, close-on-exec, which the caller closes. Returns 0, or an
 * error number. */
int program_spawn(
        const char *path, char **arguments, char **environment, pid_t *pid_r, int *control_r);
/* As program_spawn(), with this descriptor as the program's end, which stays open here. */
int program_spawn_on(
        const char *path, char **arguments, char **environment, int control, pid_t *pid_r);
/* Kills the program and reaps it. */
void program_kill(pid_t pid);
