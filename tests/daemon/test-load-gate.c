/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests daemon/engine/load-gate.h: when a small disk that was full counts as having room again. */
#include <config.h>
#include "daemon/engine/load-gate.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SECOND_US = 1000 * 1000, MINUTE_US = 60 * SECOND_US };

static char *disk; /* NULL: none can be mounted here */

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* A name space of its own, which goes with the process. */
static bool enter_name_space(void)
{
	g_autofree char *uids = g_strdup_printf("0 %u 1", (unsigned)geteuid());
	g_autofree char *gids = g_strdup_printf("0 %u 1", (unsigned)getegid());
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
	       write_text("/proc/self/setgroups", "deny") &&
	       write_text("/proc/self/uid_map", uids) && write_text("/proc/self/gid_map", gids);
}

static void mount_disk(void)
{
	g_autofree char *dir = g_dir_make_tmp("tarsier-XXXXXX", NULL);
	if (enter_name_space() && mount("none", dir, "tmpfs", 0, "size=4m") == 0)
		disk = g_steal_pointer(&dir);
}

/* Leaves about this much free. */
static int fill_disk(uint64_t left)
{
	struct statvfs fs;
	int fd = open(disk, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(statvfs(disk, &fs), ==, 0);
	uint64_t free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	g_assert_cmpint(fallocate(fd, 0, 0, (off_t)(free_bytes - left)), ==, 0);
	return fd;
}

static LoadGate *gate_after_failures(unsigned n, int64_t now_us)
{
	LoadGate *gate = load_gate_new(NULL, disk);
	for (unsigned i = 0; i < n; i++) {
		load_gate_note_full(gate, now_us);
		g_assert_true(load_gate_lacks_room(gate));
		if (i + 1 < n) /* there seems to be room, and the next write fails */
			g_assert_true(load_gate_regains_room(gate, now_us += 5 * SECOND_US));
	}
	return gate;
}

static void test_room_is_regained_when_it_is_there(void)
{
	LoadGate *gate = gate_after_failures(1, MINUTE_US);
	int fd = fill_disk(512 << 10);
	g_assert_false(load_gate_regains_room(gate, MINUTE_US + SECOND_US));
	g_assert_false(load_gate_regains_room(gate, MINUTE_US + 3 * SECOND_US));
	close(fd);
	g_assert_true(load_gate_regains_room(gate, MINUTE_US + 6 * SECOND_US));
	g_assert_false(load_gate_lacks_room(gate));
	load_gate_free(gate);
}

/* Three failures ask for 4 MiB, and no more than 3 can be had. */
static void test_a_small_disk_is_tried_again(void)
{
	int fd = fill_disk(3 << 20);
	LoadGate *gate = load_gate_new(NULL, disk);
	int64_t now_us = MINUTE_US;
	for (unsigned i = 0; i < 3; i++) {
		load_gate_note_full(gate, now_us);
		now_us += 5 * SECOND_US;
		g_assert_cmpint(load_gate_regains_room(gate, now_us), ==, i < 2);
	}
	g_assert_true(load_gate_lacks_room(gate));
	g_assert_false(load_gate_regains_room(gate, now_us + 30 * SECOND_US));
	g_assert_true(load_gate_regains_room(gate, now_us + 2 * (int64_t)MINUTE_US));
	g_assert_cmpint(load_gate_next_room_us(gate), ==, INT64_MAX);
	load_gate_free(gate);
	close(fd);
}

static void test_a_full_disk_is_not_tried(void)
{
	LoadGate *gate = gate_after_failures(2, MINUTE_US);
	int fd = fill_disk(0);
	for (int64_t hours = 1; hours < 100; hours++)
		g_assert_false(load_gate_regains_room(gate, hours * 60 * MINUTE_US));
	g_assert_true(load_gate_lacks_room(gate));
	close(fd);
	load_gate_free(gate);
}

static const struct {
	const char *path;
	void (*run)(void);
} load_gate_tests[] = {
        {"/load-gate/room-is-regained-when-it-is-there", test_room_is_regained_when_it_is_there},
        {"/load-gate/a-small-disk-is-tried-again", test_a_small_disk_is_tried_again},
        {"/load-gate/a-full-disk-is-not-tried", test_a_full_disk_is_not_tried},
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	mount_disk();
	if (!disk) {
		puts("1..0 # SKIP no disk can be mounted");
		return 0;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(load_gate_tests); i++)
		g_test_add_func(load_gate_tests[i].path, load_gate_tests[i].run);
	return g_test_run();
}
