/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/mounts.h"
#include <string.h>

struct Mounts {
	char *file;
	bool read;
	GHashTable *points; /* path -> device and root of what is mounted there, on top */
	GHashTable *kinds; /* device, "8:1" -> MountKind */
};

static const char *const network[] = {"9p", "afs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2",
        "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "smb3", "smbfs", "vboxsf",
        "virtiofs", NULL};

static const char *const pseudo[] = {"autofs", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2",
        "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue",
        "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
        NULL};

Mounts *mounts_new(const char *file)
{
	Mounts *mounts = g_new0(Mounts, 1);
	mounts->file = g_strdup(file ? file : "/proc/self/mountinfo");
	mounts->points = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	mounts->kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return mounts;
}

void mounts_free(Mounts *mounts)
{
	g_hash_table_unref(mounts->points);
	g_hash_table_unref(mounts->kinds);
	g_free(mounts->file);
	g_free(mounts);
}

/* "fuse.sshfs" is one of FUSE; "fuseblk" is a local disk. */
static MountKind kind_of(const char *type)
{
	g_autofree char *family = g_strndup(type, strcspn(type, "."));
	if (g_strv_contains(network, family))
		return MOUNT_NETWORK;
	return g_strv_contains(pseudo, family) ? MOUNT_PSEUDO : MOUNT_ORDINARY;
}

/* "36 35 98:0 /root /point options [optional...] - type source super" */
static void take_line(Mounts *mounts, const char *line)
{
	enum { DEVICE = 2, ROOT, POINT, LEAST };
	const char *rest = strstr(line, " - ");
	g_auto(GStrv) fields = g_strsplit(line, " ", LEAST + 1);
	if (!rest || g_strv_length(fields) <= LEAST)
		return;
	g_auto(GStrv) last = g_strsplit(rest + strlen(" - "), " ", 2);
	if (!last[0])
		return;
	g_hash_table_insert(mounts->points, g_strcompress(fields[POINT]),
	        g_strconcat(fields[DEVICE], " ", fields[ROOT], NULL));
	g_hash_table_insert(
	        mounts->kinds, g_strdup(fields[DEVICE]), GINT_TO_POINTER(kind_of(last[0])));
}

/* Paths of one that are not in the other, or there with something else. */
static void compare(GHashTable *one, GHashTable *other, bool both, MountsFunc f, void *data)
{
	GHashTableIter iter;
	gpointer path, what;
	g_hash_table_iter_init(&iter, one);
	while (g_hash_table_iter_next(&iter, &path, &what)) {
		const char *there = g_hash_table_lookup(other, path);
		if (!there || (both && strcmp(there, what) != 0))
			f(path, data);
	}
}

void mounts_read(Mounts *mounts, MountsFunc f, void *data)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents(mounts->file, &text, NULL, NULL))
		return;
	g_autoptr(GHashTable) former = g_steal_pointer(&mounts->points);
	mounts->points = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_hash_table_remove_all(mounts->kinds);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		take_line(mounts, *line);
	if (mounts->read) {
		compare(mounts->points, former, true, f, data);
		compare(former, mounts->points, false, f, data);
	}
	mounts->read = true;
}

MountKind mounts_kind(const Mounts *mounts, uint32_t major, uint32_t minor)
{
	char device[32];
	g_snprintf(device, sizeof(device), "%u:%u", major, minor);
	return GPOINTER_TO_INT(g_hash_table_lookup(mounts->kinds, device));
}

static MountKind kind_of_point(const Mounts *mounts, const char *point)
{
	const char *what = g_hash_table_lookup(mounts->points, point);
	g_autofree char *device = what ? g_strndup(what, strcspn(what, " ")) : NULL;
	return device ? GPOINTER_TO_INT(g_hash_table_lookup(mounts->kinds, device)) : MOUNT_UNKNOWN;
}

MountKind mounts_kind_of_path(const Mounts *mounts, const char *path)
{
	g_autofree char *point = g_strdup(path);
	for (;;) {
		MountKind kind = kind_of_point(mounts, point);
		char *slash = strrchr(point, '/');
		if (kind != MOUNT_UNKNOWN || !slash || !point[1])
			return kind;
		slash[slash == point] = '\0';
	}
}
