/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-agent-launcher.c - what the process can have read that confined itself, as if it were taken
 * over: the roots of the configuration as it stands, and nothing else; and that what hangs delays
 * nothing else */
#include <config.h>
#include "common/base/autofd.h"
#include "common/settings/conffile.h"
#include "daemon/fs/agent-launcher.h"
#include "daemon/fs/agent.h"
#include "daemon/fs/safeopen.h"
#include "daemon/service/confine-service.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

typedef struct {
	char *top, *config, *watched, *later, *secret;
} Fixture;

static char *make_dir_with_file(const char *top, const char *name)
{
	char *dir = g_build_filename(top, name, NULL);
	g_autofree char *file = g_build_filename(dir, "file", NULL);
	g_assert_cmpint(g_mkdir(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(file, name, -1, NULL));
	return dir;
}

/* A file that takes the place of the old one, as editors do it. */
static void configure(const Fixture *f, const char *one, const char *other)
{
	g_autofree char *text =
	        g_strdup_printf("[index]\nroots = %s;%s\n", one, other ? other : "");
	g_assert_true(g_file_set_contents_full(
	        f->config, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
}

static Fixture fixture_new(const char *name)
{
	Fixture f = {.top = g_build_filename(g_getenv("TEST_TMP"), name, NULL)};
	g_assert_cmpint(g_mkdir(f.top, 0700), ==, 0);
	g_autofree char *config_dir = g_build_filename(f.top, "config", NULL);
	g_assert_cmpint(g_mkdir(config_dir, 0700), ==, 0);
	f.config = g_build_filename(config_dir, "tarsier.conf", NULL);
	f.watched = make_dir_with_file(f.top, "watched");
	f.later = make_dir_with_file(f.top, "later");
	f.secret = make_dir_with_file(f.top, "secret");
	configure(&f, f.watched, NULL);
	return f;
}

static void fixture_clear(Fixture *f)
{
	g_free(f->top);
	g_free(f->config);
	g_free(f->watched);
	g_free(f->later);
	g_free(f->secret);
}

static bool can_read(const char *path)
{
	autofd fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0;
}

/* Asks an agent for the root to read "file" in the directory. Returns 0 or an error number. */
static int read_by_agent(const char *root, const char *directory)
{
	Agent *agent = agent_new(NULL, root);
	int error = 0;
	autofd top = safe_open_root(agent, directory);
	autofd copy = top < 0 ? -1 : safe_copy(agent, top, "file", 100);
	if (copy < 0)
		error = errno;
	agent_free(agent);
	return error;
}

/* Returns 0, or the number of the first try whose outcome was wrong. */
static int act_as_taken_over(const Fixture *f)
{
	g_autofree char *drop_in = g_strconcat(f->config, ".d/one.conf", NULL);
	g_autofree char *secret_file = g_build_filename(f->secret, "file", NULL);
	AgentLauncher *launcher = agent_launcher_of_process();
	if (can_read(f->secret) || can_read(secret_file) || can_read(f->later))
		return 1;
	if (!can_read(f->watched) || read_by_agent(f->watched, f->watched) != 0)
		return 2;
	if (read_by_agent(f->secret, f->secret) == 0) /* it is not a root */
		return 3;
	if (read_by_agent(f->watched, f->secret) == 0) /* the agent of a root reads elsewhere */
		return 4;
	if (read_by_agent(f->later, f->later) == 0) /* not a root yet */
		return 5;
	autofd config = agent_launcher_open_config(launcher, f->config);
	autofd secret = agent_launcher_open_config(launcher, secret_file);
	autofd beside = agent_launcher_open_config(launcher, drop_in);
	if (config < 0 || secret >= 0 || beside >= 0)
		return 6;
	return 0;
}

static int read_later(const Fixture *f)
{
	return read_by_agent(f->later, f->later);
}

/* In a process of its own, which cannot write the configuration any more: its parent does. */
static int confined_process(const Fixture *f, int told, int tell)
{
	const char *const nothing[] = {NULL};
	char byte = 0;
	Settings *settings = settings_load(f->config, NULL, NULL);
	confine_service_launcher(f->config, settings, true);
	SandboxLevel level = confine_service(f->config, settings, nothing, true);
	if (level != SANDBOX_FULL && level != SANDBOX_LANDLOCK)
		return 77;
	int wrong = act_as_taken_over(f);
	if (wrong != 0)
		return wrong;
	if (write(tell, "x", 1) != 1 || read(told, &byte, 1) != 1)
		return 10;
	if (read_later(f) != 0) /* the user has added it */
		return 11;
	if (write(tell, "x", 1) != 1 || read(told, &byte, 1) != 1)
		return 12;
	if (read_later(f) != 0) /* the configuration is broken: the old one stays */
		return 13;
	agent_launcher_free(agent_launcher_of_process());
	return 0;
}

static void test_taken_over(void)
{
	Fixture f = fixture_new("taken-over");
	int told[2], tell[2], status;
	char byte;
	g_assert_cmpint(pipe(told), ==, 0);
	g_assert_cmpint(pipe(tell), ==, 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(confined_process(&f, told[0], tell[1]));
	close(tell[1]);
	if (read(tell[0], &byte, 1) == 1) {
		configure(&f, f.watched, f.later);
		g_assert_cmpint(write(told[1], "x", 1), ==, 1);
	}
	if (read(tell[0], &byte, 1) == 1) {
		g_assert_true(g_file_set_contents_full(f.config, "[index]\nroots", -1,
		        G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
		g_assert_cmpint(write(told[1], "x", 1), ==, 1);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		g_test_skip("the kernel has no Landlock");
	else
		g_assert_cmpint(WEXITSTATUS(status), ==, 0);
	close(tell[0]);
	close(told[0]);
	close(told[1]);
	fixture_clear(&f);
}

/* ---- what hangs */

/* All processes see how often the configuration was read. */
typedef struct {
	gint *reads; /* shared memory */
	const char *root;
} HangingRules;

static void hang(void)
{
	for (;;)
		pause();
}

static unsigned confine_nothing(void)
{
	return 0;
}

static void confine_no_agent(const char *root)
{
}

static char **hang_reading_roots(void *data)
{
	const HangingRules *rules = data;
	g_atomic_int_inc(rules->reads);
	hang();
	return NULL;
}

static bool hang_at_stuck(const char *path, void *data)
{
	if (strcmp(path, "/stuck") == 0)
		hang();
	return true;
}

static AgentLauncher *hanging_launcher(HangingRules *hanging)
{
	hanging->reads =
	        mmap(NULL, sizeof(gint), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	g_assert_true(hanging->reads != MAP_FAILED);
	const char *const roots[] = {hanging->root, NULL};
	const AgentLauncherRules rules = {confine_nothing, confine_no_agent, hang_reading_roots,
	        hang_at_stuck, hanging, roots};
	AgentLauncher *launcher = agent_launcher_new(&rules);
	g_assert_nonnull(launcher);
	return launcher;
}

static void test_file_that_hangs(void)
{
	Fixture f = fixture_new("file-that-hangs");
	HangingRules hanging = {.root = f.watched};
	g_autoptr(AgentLauncher) launcher = hanging_launcher(&hanging);
	g_assert_cmpint(agent_launcher_open_config(launcher, "/stuck"), ==, -1);
	g_assert_cmpint(errno, ==, ETIMEDOUT);
	autofd config = agent_launcher_open_config(launcher, f.config);
	g_assert_cmpint(config, >=, 0);
	fixture_clear(&f);
}

/* On a busy machine the first answer may be late. */
static int read_in_time(const char *root)
{
	int error;
	while ((error = read_by_agent(root, root)) == ETIMEDOUT)
		;
	return error;
}

/* A path that is a root as far as is known can be read, and another one cannot. */
static void test_configuration_that_hangs(void)
{
	Fixture f = fixture_new("configuration-that-hangs");
	HangingRules hanging = {.root = f.watched};
	g_autoptr(AgentLauncher) launcher = hanging_launcher(&hanging);
	g_assert_cmpint(read_in_time(f.watched), ==, 0);
	g_assert_cmpint(g_atomic_int_get(hanging.reads), >=, 1);
	g_assert_cmpint(read_in_time(f.secret), ==, EIO);
	autofd config = agent_launcher_open_config(launcher, f.config);
	g_assert_cmpint(config, >=, 0);
	fixture_clear(&f);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/agent-launcher/taken-over", test_taken_over);
	g_test_add_func("/agent-launcher/file-that-hangs", test_file_that_hangs);
	g_test_add_func("/agent-launcher/configuration-that-hangs", test_configuration_that_hangs);
	return g_test_run();
}
