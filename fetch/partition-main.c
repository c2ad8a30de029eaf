/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-main.c - tarsier-partition: asks the database that crawlers share, confined
 *
 * It is started by the launcher of tarsierd, and ends when tarsierd closes its socket. */
#include <config.h>
#include "common/sandbox/confine.h"
#include "fetch/partition-database.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CONTROL_FD = 3, EXIT_SANDBOX = 96 };

static void partition_harden(void)
{
	syscall(SYS_close_range, CONTROL_FD + 1, ~0u, 0);
	setsid();
	signal(SIGPIPE, SIG_IGN);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void partition_silence(void)
{
#ifndef __SANITIZE_ADDRESS__
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
#endif
}

static int partition_serve(void)
{
	PartitionDatabase *database = partition_database_new();
	for (;;) {
		PartitionKind kind, reply_kind;
		g_autoptr(GVariant) body = partition_receive(CONTROL_FD, -1, &kind);
		GVariant *reply =
		        body ? partition_database_serve(database, kind, body, &reply_kind) : NULL;
		if (!reply || !partition_send(CONTROL_FD, reply_kind, reply))
			break;
	}
	partition_database_free(database);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		printf("tarsier-partition (Tarsier) %s\n"
		       "It is started by tarsierd for the key \"partition\".\n",
		        PACKAGE_VERSION);
		return strcmp(argv[1], "--version") != 0 && strcmp(argv[1], "--help") != 0;
	}
	partition_harden();
	partition_silence();
	if (confine_connections(getenv("PGPASSFILE")) != SANDBOX_FULL)
		_exit(EXIT_SANDBOX);
	_exit(partition_serve());
}
