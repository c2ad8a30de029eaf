/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weaken.c - runs a program as if the kernel lacked something: weaken CALL PROGRAM [ARGUMENTS]; the
 * system call CALL is refused from then on */
#include <config.h>
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	int call = seccomp_syscall_resolve_name(argv[1]);
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	if (!context || call < 0 ||
	        seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), call, 0) != 0 ||
	        seccomp_load(context) != 0) {
		fprintf(stderr, "weaken: %s cannot be refused\n", argv[1]);
		return 2;
	}
	seccomp_release(context);
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
