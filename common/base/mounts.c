/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/mounts.h"
#include <string.h>

struct Mounts {
	char *file;
	bool read;
	GHashTable *points; /* mount point -> device and root of the topmost mount there */
	GHashTable *devices; /* "8:1" -> MountDevice */
};

typedef struct {
	MountKind kind;
	bool whole; /* the top of the file system is at the point */
	MountOrigin origin;
} MountDevice;

static const char *const network[] = {"9p", "afs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2",
        "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "smb3", "smbfs", "vboxsf",
        "virtiofs", NULL};

static const char *const pseudo[] = {"binder", "binfmt_misc", "bpf", "cgroup", "cgroup2",
        "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue",
        "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
        NULL};

static void mounts_free_device(void *data)
{
	MountDevice *device = data;
	g_free(device->origin.point);
	g_free(device->origin.source);
	g_free(device);
}

Mounts *mounts_new(const char *file)
{
	Mounts *mounts = g_new0(Mounts, 1);
	mounts->file = g_strdup(file ? file : "/proc/self/mountinfo");
	mounts->points = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	mounts->devices =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, mounts_free_device);
	return mounts;
}

void mounts_free(Mounts *mounts)
{
	g_hash_table_unref(mounts->points);
	g_hash_table_unref(mounts->devices);
	g_free(mounts->file);
	g_free(mounts);
}

/* "fuse.sshfs" is a FUSE file system; "fuseblk" is a local disk. */
static MountKind mounts_kind_of(const char *type)
{
	g_autofree char *family = g_strndup(type, strcspn(type, "."));
	if (g_strv_contains(network, family))
		return MOUNT_NETWORK;
	if (strcmp(family, "autofs") == 0)
		return MOUNT_AUTO;
	return g_strv_contains(pseudo, family) ? MOUNT_PSEUDO : MOUNT_ORDINARY;
}

/* fields: of a line, to its mount point. last: type and source. */
static void mounts_take_device(Mounts *mounts, char **fields, char **last)
{
	enum { DEVICE = 2, ROOT, POINT };
	const MountDevice *known = g_hash_table_lookup(mounts->devices, fields[DEVICE]);
	bool whole = strcmp(fields[ROOT], "/") == 0;
	if (known && (known->whole || !whole))
		return;
	MountDevice *device = g_new0(MountDevice, 1);
	device->kind = mounts_kind_of(last[0]);
	device->whole = whole;
	device->origin.point = g_strcompress(fields[POINT]);
	device->origin.source = g_strdup(last[1] ? last[1] : "");
	g_hash_table_replace(mounts->devices, g_strdup(fields[DEVICE]), device);
}

/* "36 35 98:0 /root /point options [optional...] - type source super" */
static void mounts_take_line(Mounts *mounts, const char *line)
{
	enum { DEVICE = 2, ROOT, POINT, LEAST };
	const char *rest = strstr(line, " - ");
	g_auto(GStrv) fields = g_strsplit(line, " ", LEAST + 1);
	if (!rest || g_strv_length(fields) <= LEAST)
		return;
	g_auto(GStrv) last = g_strsplit(rest + strlen(" - "), " ", 3);
	if (!last[0])
		return;
	g_hash_table_insert(mounts->points, g_strcompress(fields[POINT]),
	        g_strconcat(fields[DEVICE], " ", fields[ROOT], NULL));
	mounts_take_device(mounts, fields, last);
}

/* Reports the mount points of one that are missing from other and, with both, those that differ in
 * it. */
static void mounts_compare(GHashTable *one, GHashTable *other, bool both, MountsFunc f, void *data)
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
	g_hash_table_remove_all(mounts->devices);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		mounts_take_line(mounts, *line);
	if (mounts->read) {
		mounts_compare(mounts->points, former, true, f, data);
		mounts_compare(former, mounts->points, false, f, data);
	}
	mounts->read = true;
}

static const MountDevice *find_device(const Mounts *mounts, uint32_t major, uint32_t minor)
{
	char name[32];
	g_snprintf(name, sizeof(name), "%u:%u", major, minor);
	return g_hash_table_lookup(mounts->devices, name);
}

const MountOrigin *mounts_origin(const Mounts *mounts, uint32_t major, uint32_t minor)
{
	const MountDevice *device = find_device(mounts, major, minor);
	return device ? &device->origin : NULL;
}

MountKind mounts_kind(const Mounts *mounts, uint32_t major, uint32_t minor)
{
	const MountDevice *device = find_device(mounts, major, minor);
	return device ? device->kind : MOUNT_UNKNOWN;
}

static MountKind kind_of_point(const Mounts *mounts, const char *point)
{
	const char *what = g_hash_table_lookup(mounts->points, point);
	g_autofree char *name = what ? g_strndup(what, strcspn(what, " ")) : NULL;
	const MountDevice *device = name ? g_hash_table_lookup(mounts->devices, name) : NULL;
	return device ? device->kind : MOUNT_UNKNOWN;
}

/* The kind of the innermost mount above the path. path: absolute, without symbolic links; "" is the
 * root. */
static MountKind kind_above(const Mounts *mounts, const char *path)
{
	g_autofree char *point = g_strdup(path);
	for (char *slash; (slash = strrchr(point, '/')); *slash = '\0') {
		MountKind kind = kind_of_point(mounts, point);
		if (kind != MOUNT_UNKNOWN)
			return kind;
	}
	return kind_of_point(mounts, "/");
}

static void cut_last(GString *path)
{
	const char *slash = strrchr(path->str, '/');
	g_string_truncate(path, slash ? slash - path->str : 0);
}

/* Replaces the last component of path by the target of the symbolic link; returns what remains to
 * be walked. */
static char *mounts_follow(GString *path, const char *target, const char *rest)
{
	if (*target == '/')
		g_string_truncate(path, 0);
	else
		cut_last(path);
	return g_strconcat(target, "/", rest, NULL);
}

/* A mount point is not a symbolic link, and links below /proc and similar file systems lead to
 * arbitrary places. */
static bool may_be_link(const Mounts *mounts, const char *path)
{
	return kind_of_point(mounts, path) == MOUNT_UNKNOWN &&
	       kind_above(mounts, path) != MOUNT_PSEUDO;
}

static bool mounts_kind_may_hang(MountKind kind)
{
	return kind == MOUNT_NETWORK || kind == MOUNT_AUTO;
}

/* Walks to the path, but not into a file system that may not answer. Appends where it came. */
static MountKind mounts_walk(const Mounts *mounts, const char *path, GString *done)
{
	enum { MOST_LINKS = 40 }; /* the kernel's limit */
	g_autofree char *rest = g_strdup(path);
	for (unsigned links = 0; *rest && links <= MOST_LINKS;) {
		size_t length = strcspn(rest, "/");
		g_autofree char *part = g_strndup(rest, length);
		memmove(rest, rest + length + (rest[length] == '/'),
		        strlen(rest + length) + (rest[length] != '/'));
		if (!*part || strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			cut_last(done);
			continue;
		}
		g_string_append_printf(done, "/%s", part);
		if (mounts_kind_may_hang(kind_of_point(mounts, done->str)))
			break;
		g_autofree char *target =
		        may_be_link(mounts, done->str) ? g_file_read_link(done->str, NULL) : NULL;
		if (!target)
			continue;
		links++;
		char *longer = mounts_follow(done, target, rest);
		g_free(rest);
		rest = longer;
	}
	return kind_above(mounts, done->str);
}

MountKind mounts_kind_of_path(const Mounts *mounts, const char *path)
{
	g_autoptr(GString) end = g_string_new(NULL);
	return mounts_walk(mounts, path, end);
}

char *mounts_doubtful_point(const Mounts *mounts, const char *path)
{
	GString *end = g_string_new(NULL);
	bool doubtful = mounts_kind_may_hang(mounts_walk(mounts, path, end));
	return g_string_free(end, !doubtful);
}

bool mounts_may_hang(const Mounts *mounts, const char *path)
{
	return mounts_kind_may_hang(mounts_kind_of_path(mounts, path));
}

bool mounts_any_may_hang(const char *const *paths)
{
	Mounts *mounts = mounts_new(NULL);
	bool hangs = false;
	mounts_read(mounts, NULL, NULL);
	for (; *paths && !hangs; paths++)
		hangs = mounts_may_hang(mounts, *paths);
	mounts_free(mounts);
	return hangs;
}
