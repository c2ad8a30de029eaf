/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_CONTROL_FD = 3 };

static void environment_keep(GStrvBuilder *environment, const char *name)
{
	const char *value = g_getenv(name);
	g_autofree char *entry = value ? g_strconcat(name, "=", value, NULL) : NULL;
	if (entry)
		g_strv_builder_add(environment, entry);
}

char **program_environment(const char *const *kept)
{
	g_autoptr(GStrvBuilder) environment = g_strv_builder_new();
	g_strv_builder_add_many(environment, "LC_ALL=C.UTF-8", "LD_BIND_NOW=1",
	        "MALLOC_ARENA_MAX=1", "PATH=/usr/bin:/bin", "HOME=/nonexistent", NULL);
	environment_keep(environment, "ASAN_OPTIONS");
	environment_keep(environment, "UBSAN_OPTIONS");
	environment_keep(environment, "LSAN_OPTIONS");
	for (; kept && *kept; kept++)
		environment_keep(environment, *kept);
	return g_strv_builder_end(environment);
}

int program_spawn_on(
        const char *path, char **arguments, char **environment, int control, pid_t *pid_r)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, control, CHILD_CONTROL_FD);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	int result = posix_spawn(pid_r, path, &actions, &attributes, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return result;
}

int program_spawn(
        const char *path, char **arguments, char **environment, pid_t *pid_r, int *control_r)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return errno;
	int result = program_spawn_on(path, arguments, environment, ends[1], pid_r);
	close(ends[1]);
	if (result != 0)
		close(ends[0]);
	else
		*control_r = ends[0];
	return result;
}

void program_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
