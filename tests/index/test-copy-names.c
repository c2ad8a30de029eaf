/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-copy-names.c - which paths look like copies and older versions */
#include <config.h>
#include "index/text/copy-names.h"
#include <glib.h>

static const char *const copies[] = {"/home/u/Backup/a.txt", "/home/u/backup-2021/x/a.txt",
        "/home/u/My backups 2/a.txt", "/home/u/old/a.txt", "/home/u/Archiv/a.txt",
        "/home/u/src.old/a.c", "/home/u/a.txt~", "/home/u/a.txt.~2~", "/home/u/a.bak",
        "/home/u/a.txt.orig", "/home/u/a.old.txt", "/home/u/a-old.txt", "/home/u/a_backup.odt",
        "/home/u/a (copy).txt", "/home/u/a (another copy).txt", "/home/u/a - Kopie.odt",
        "/home/u/Copy of a.txt", "/home/u/Kopie von a.odt", "/home/u/Копия a.txt",
        "/home/u/Резервная копия/a.txt", "/home/u/バックアップ/a.txt", "/home/u/备份/a.txt",
        "/home/u/SAUVEGARDE/a.txt"};
static const char *const others[] = {"/home/u/a.txt", "/home/u/old town/a.jpg",
        "/home/u/The old man.txt", "/home/u/old.txt", "/home/u/bak", "/home/u/.old",
        "/home/u/photocopy.txt", "/home/u/how to make a backup plan.txt", "/home/u/archive.zip",
        "/home/u/golden/a.txt", "/home/u/~/a.txt", "/", "", "/home/u/\xff\xfe/a.txt"};

static void test_copies(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(copies); i++) {
		g_test_message("%s", copies[i]);
		g_assert_true(copy_names_path(copies[i]));
	}
}

static void test_others(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		g_test_message("%s", others[i]);
		g_assert_false(copy_names_path(others[i]));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/copy-names/copies", test_copies);
	g_test_add_func("/index/copy-names/others", test_others);
	return g_test_run();
}
