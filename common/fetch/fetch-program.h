/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-program.h - how tarsier-fetch and tarsier-partition are started: their paths, environment
 * and control socket */
#pragma once
#include <sys/types.h>

/* PKGLIBEXECDIR/tarsier-fetch or $TARSIER_FETCH. The caller frees it. */
char *fetch_program_path(void);

/* tarsier-partition, which lies beside tarsier-fetch. The caller frees it. */
char *partition_program_path(void);
/* The file of passwords that libpq reads: $PGPASSFILE or ~/.pgpass. The caller frees it. */
char *partition_passwords_path(void);

/* Starts the program at path. control: its end of a SOCK_SEQPACKET socket pair, which stays open
 * here. Returns 0, or an error number. program_kill() ends it. */
int fetch_program_spawn(const char *path, int control, pid_t *pid_r);
/* The same for tarsier-partition, whose control socket is a stream. */
int partition_program_spawn(const char *path, int control, pid_t *pid_r);
