/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - a file system of searches: one process mounts and unmounts it, the other answers
 *
 * To unmount, fusermount3 has to be started, which a confined process cannot do. So the process
 * that mounts forks the one that is confined and reads the index, waits for its end, and unmounts
 * whatever it died of. */
#define FUSE_USE_VERSION 31
#include <config.h>
#include "common/base/i18n.h"
#include "common/base/log.h"
#include "common/base/paths.h"
#include "index/read/reader-memory.h"
#include "ui-cli/app/confine-client.h"
#include "ui-fuse/mount-tree.h"
#include <errno.h>
#include <fuse3/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const Option mount_options[] = {
        {0, "config", OPTION_TEXT, "FILE", NULL},
        {0, "index", OPTION_TEXT, "DIR", NULL},
        {'q', "quiet", OPTION_FLAG, NULL, NULL},
        {0, "version", OPTION_FLAG, NULL, NULL},
        OPTION_END,
};

/* ---- what the kernel asks */

/* The answers that a program has may be this old. */
static const double cached_s = 1.0;

static MountTree *mount_tree(void)
{
	return fuse_get_context()->private_data;
}

static void *mount_on_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	config->entry_timeout = config->attr_timeout = cached_s;
	config->nullpath_ok = 0;
	return mount_tree();
}

static int mount_on_getattr(const char *path, struct stat *st, struct fuse_file_info *file)
{
	const char *target;
	int failed = mount_tree_find(mount_tree(), path, &target);
	memset(st, 0, sizeof *st);
	st->st_uid = geteuid();
	st->st_gid = getegid();
	st->st_mode = target ? S_IFLNK | 0777 : S_IFDIR | 0500;
	st->st_nlink = target ? 1 : 2;
	st->st_size = target ? (off_t)strlen(target) : 0;
	st->st_mtime = st->st_ctime = st->st_atime = time(NULL);
	return failed;
}

static int mount_on_readlink(const char *path, char *buffer, size_t size)
{
	const char *target;
	int failed = mount_tree_find(mount_tree(), path, &target);
	if (failed)
		return failed;
	if (!target)
		return -EINVAL;
	g_strlcpy(buffer, target, size);
	return 0;
}

static int mount_on_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
        struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	const GPtrArray *names = NULL;
	int failed = mount_tree_list(mount_tree(), path, &names);
	if (failed)
		return failed;
	fill(buffer, ".", NULL, 0, 0);
	fill(buffer, "..", NULL, 0, 0);
	for (guint i = 0; i < names->len; i++)
		fill(buffer, names->pdata[i], NULL, 0, 0);
	return 0;
}

static const struct fuse_operations mount_operations = {
        .init = mount_on_init,
        .getattr = mount_on_getattr,
        .readlink = mount_on_readlink,
        .readdir = mount_on_readdir,
};

/* ---- the process that answers */

static int mount_answer(Cli *cli, struct fuse *fuse, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return EXIT_PARTIAL;
	for (int i = 0; i < 3; i++)
		signal((const int[]){SIGINT, SIGTERM, SIGHUP}[i], SIG_DFL);
	confine_client(cli, false);
	return fuse_loop(fuse) == 0 ? EXIT_OK : EXIT_PARTIAL;
}

/* ---- the process that mounts */

static sigset_t mount_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	return set;
}

/* Waits until the child ends, which a signal asks it to. Returns the exit code. */
static int mount_wait(pid_t child, const sigset_t *signals)
{
	int number = 0, asked = 0, status = 0;
	while (waitpid(child, &status, WNOHANG) == 0) {
		if (sigwait(signals, &number) != 0 || number == SIGCHLD)
			continue;
		asked = number;
		kill(child, SIGKILL); /* it reads only */
	}
	if (asked == SIGINT)
		return EXIT_INTERRUPTED;
	if (asked)
		return EXIT_OK;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_PARTIAL;
}

/* signals are blocked, the child restores the mask before. */
static int mount_serve(Cli *cli, struct fuse *fuse, const sigset_t *signals, const sigset_t *before)
{
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		sigprocmask(SIG_SETMASK, before, NULL);
		_exit(mount_answer(cli, fuse, parent));
	}
	return child < 0 ? EXIT_PARTIAL : mount_wait(child, signals);
}

/* May the directory be hidden by the searches? If not, says why. */
static bool mount_can_be_at(Cli *cli, const char *directory)
{
	g_autoptr(GError) error = NULL;
	const GPtrArray *roots = cli_roots(cli, &error);
	if (!g_file_test(directory, G_FILE_TEST_IS_DIR)) {
		cli_say(_("%s is not a directory; if searches were shown there before, "
		          "\"fusermount3 "
		          "-u\" frees it"),
		        directory);
		return false;
	}
	for (guint i = 0; roots && i < roots->len; i++) {
		if (!paths_is_below(directory, roots->pdata[i]))
			continue;
		cli_say(_("%s is watched; choose a directory that is not"), directory);
		return false;
	}
	return true;
}

/* The index is opened by the process that is confined. */
static void mount_close_index(Cli *cli)
{
	cli_forget(cli);
	g_clear_pointer(&cli->reader, reader_close);
}

static int mount_main_run(Cli *cli)
{
	static char name[] = "tarsier-mount", option[] = "-oro,nosuid,nodev,fsname=tarsier";
	char *words[] = {name, option, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(2, words);
	g_autofree char *directory = cli_n_words(cli) == 1 ? cli_absolute(cli_word(cli, 0)) : NULL;
	if (!directory) {
		cli_say(_("%s needs %s; see \"tarsier help %s\""), "mount", _("DIR"), "mount");
		return EXIT_USAGE;
	}
	if (!mount_can_be_at(cli, directory))
		return EXIT_USAGE;
	mount_close_index(cli);
	g_autoptr(MountTree) tree = mount_tree_new(cli);
	struct fuse *fuse = fuse_new(&args, &mount_operations, sizeof mount_operations, tree);
	fuse_opt_free_args(&args);
	/* From here on, a signal may end the process only after it has unmounted. */
	sigset_t signals = mount_signals(), before;
	sigprocmask(SIG_BLOCK, &signals, &before);
	if (!fuse || fuse_mount(fuse, directory) != 0) {
		cli_say(_("searches cannot be shown at %s"), directory);
		return EXIT_PARTIAL;
	}
	cli_note(cli, _("Searches are directories of %s now, until Ctrl-C or \"fusermount3 -u\"."),
	        directory);
	int code = mount_serve(cli, fuse, &signals, &before);
	fuse_unmount(fuse);
	fuse_destroy(fuse);
	return code;
}

/* A core dump could contain queries and results. */
static void mount_main_hide_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* the leak check needs ptrace access */
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

int main(int argc, char **argv)
{
	static const Option *const tables[] = {mount_options, NULL};
	g_autoptr(GError) error = NULL;
	mount_main_hide_memory();
	i18n_init();
	reader_use_arena();
	log_init("tarsier-mount", false);
	Arguments *args = options_parse(argv + 1, tables, false, &error);
	if (!args) {
		cli_say("%s", error->message);
		return EXIT_USAGE;
	}
	g_autoptr(Cli) cli = cli_new(args);
	if (!options_has(args, "version"))
		return mount_main_run(cli);
	printf("tarsier-mount %s\n", PACKAGE_VERSION);
	return EXIT_OK;
}
