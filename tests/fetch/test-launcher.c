/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the confinement of the launcher: each try is made in a process that put it on. */
#include <config.h>
#include "common/fetch/fetch-program.h"
#include "common/sandbox/confine.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_CONFINED = 77 };

static char *file_of_home(void)
{
	return g_build_filename(g_getenv("HOME"), "file", NULL);
}

static bool closes(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* ---- tries */

static bool try_read(void)
{
	g_autofree char *path = file_of_home();
	return closes(open(path, O_RDONLY | O_CLOEXEC));
}

static bool try_write(void)
{
	g_autofree char *path = file_of_home();
	return closes(open(path, O_WRONLY | O_CLOEXEC));
}

static bool try_create(void)
{
	g_autofree char *path = file_of_home();
	g_autofree char *other = g_strconcat(path, ".new", NULL);
	return closes(open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) &&
	       unlink(other) == 0;
}

static bool try_remove(void)
{
	g_autofree char *path = file_of_home();
	g_autofree char *other = g_strconcat(path, ".old", NULL);
	return rename(path, other) == 0 && rename(other, path) == 0;
}

static bool try_execute(void)
{
	pid_t pid = fork();
	int status;
	if (pid == 0) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool try_local_socket(void)
{
	return closes(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static bool try_netlink(void)
{
	return closes(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
}

#ifndef __SANITIZE_ADDRESS__ /* its leak check needs it, so there it is allowed */
static bool try_trace(void)
{
	return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
}
#endif

static bool try_namespace(void)
{
	return unshare(CLONE_NEWUSER) == 0 || errno != ENOSYS;
}

static bool try_executable_memory(void)
{
	return mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED;
}

static bool try_internet(void)
{
	return closes(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) &&
	       closes(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

/* Nobody listens there. */
static bool try_connection(void)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
	        .sin_port = htons(1),
	        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool refused = connect(fd, (const struct sockaddr *)&address, sizeof address) < 0 &&
	               errno == ECONNREFUSED;
	return closes(fd) && refused;
}

static bool try_probes(void)
{
	g_autofree char *path = fetch_program_path();
	pid_t pid = fork();
	int status;
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		execl(path, path, "--probe", NULL);
		_exit(1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* ---- tests */

static bool is_possible(bool (*try)(void), bool confined)
{
	g_autofree char *path = fetch_program_path();
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		if (confined && confine_launcher(path, NULL) != SANDBOX_FULL)
			_exit(NOT_CONFINED);
		_exit(try() ? 0 : 1);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NOT_CONFINED)
		g_test_skip("the kernel has no Landlock or no seccomp");
	return WEXITSTATUS(status) == 0;
}

static void test_refused(void)
{
	static const struct {
		const char *name;
		bool (*try)(void);
		bool sure; /* possible in every process that is not confined */
	} tries[] = {
	        {"read", try_read, true},
	        {"write", try_write, true},
	        {"create", try_create, true},
	        {"remove", try_remove, true},
	        {"execute", try_execute, true},
	        {"local-socket", try_local_socket, true},
	        {"netlink", try_netlink, false},
#ifndef __SANITIZE_ADDRESS__
	        {"trace", try_trace, false},
#endif
	        {"namespace", try_namespace, true},
	        {"executable-memory", try_executable_memory, true},
	};
	g_autofree char *path = file_of_home();
	g_assert_true(g_file_set_contents(path, "private", -1, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(tries); i++) {
		g_test_message("%s", tries[i].name);
		g_assert_true(!tries[i].sure || is_possible(tries[i].try, false));
		g_assert_false(is_possible(tries[i].try, true));
	}
}

static void test_allowed(void)
{
	g_assert_true(is_possible(try_internet, true));
	g_assert_true(is_possible(try_connection, true));
}

static void test_program(void)
{
	g_assert_true(is_possible(try_probes, true));
}

int main(int argc, char **argv)
{
	g_autofree char *path = fetch_program_path();
	g_test_init(&argc, &argv, NULL);
	if (access(path, X_OK) < 0) {
		puts("1..0 # SKIP built without libcurl");
		return 0;
	}
	g_test_add_func("/launcher/refused", test_refused);
	g_test_add_func("/launcher/allowed", test_allowed);
	g_test_add_func("/launcher/the-sandbox-of-its-program-holds", test_program);
	return g_test_run();
}
