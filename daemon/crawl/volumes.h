/* SPDX-License-Identifier: GPL-3.0-or-later */
/* volumes.h - file systems mounted below a root (part of crawl.h)
 *
 * A disk or tmpfs that is mounted below a root is entered: its top is a directory like any other,
 * with a Volume of its own. Pseudo and network file systems are recorded by name alone and not
 * entered, and so is a second mount of a file system that is already covered (a bind mount), whose
 * files would otherwise have two paths each. A file that is mounted by itself is not read.
 *
 * While it is unmounted its rows stay as they are, hidden from search. The bare mount point is
 * watched; files that somebody puts there replace those rows. When it is mounted again, wherever
 * that is, its top is recognised by its identity and nothing is converted. */
#pragma once
#include "daemon/crawl/place.h"

/* File system identity of entries that are recorded only by name. */
#define VOLUME_NONE "mount points"

/* The volume that dir lies on. */
const Volume *volume_of(const Crawl *crawl, const Dir *dir);
/* How to stat entries on it. */
SafeStat volume_ask(const Volume *volume);
/* True if something else is mounted at this entry of a directory on volume. */
bool volume_ends(const Volume *volume, const struct statx *st);
/* The directory of a volume that is to be identified. */
typedef struct {
	Agent *agent;
	int fd;
	const struct statx *st;
	int64_t former; /* of a root: the file system that the index has there; else 0 */
} VolumePlace;
/* Finds the row of its file system. Where another one with the same UUID is mounted too, which is a
 * copy of a disk, the mount point belongs to the identity, also later. 1: *out is filled; 0: it
 * cannot be asked now; -1: error. */
int volume_identify(Crawl *crawl, const VolumePlace *place, Volume *out, GError **error);
/* Tells whether the file system mounted at name may be entered. 1: yes, *out is filled; 0: no; -1:
 * error. */
int volume_admit(Crawl *crawl, const Place *place, const char *name, const struct statx *st,
        Volume *out, GError **error);
/* Makes dir, which is new, the top of the volume. */
void volume_begin(Crawl *crawl, Dir *dir, const Volume *volume);
void volume_forget(Crawl *crawl, const Dir *dir);
/* True if this row is the top of an unmounted volume, and nothing or an empty directory is in its
 * place. now: what is there; NULL: nothing. */
bool volume_is_away(
        Crawl *crawl, const Place *place, const char *name, const Entry *row, const EntryStat *now);
/* Lists the mounts on the way to dir. relative: its path below the root. */
void volume_crossings(const Crawl *crawl, const Dir *dir, const char *relative, SafeCrossings *out);
/* The file system of dir was unmounted, and its watches went with it. */
void volume_note_unmount(Crawl *crawl, Dir *dir);
