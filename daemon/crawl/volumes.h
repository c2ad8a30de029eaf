/* SPDX-License-Identifier: GPL-3.0-or-later */
/* volumes.h - file systems mounted below a root (part of crawl.h)
 *
 * A disk or tmpfs that is mounted below a root is entered: its top is a directory like any other,
 * with a Volume of its own. Not entered, and recorded by name alone: pseudo and network file
 * systems, and a second mount of one that is covered already (a bind mount), whose files would have
 * two paths each.
 *
 * Unmounted, the rows stay as they are, which search does not show; the bare mount point is watched
 * in case somebody puts files there: then they take the place. Mounted again, wherever it is, its
 * top is known by its identity and nothing is converted. */
#pragma once
#include "daemon/crawl/place.h"

/* Identity of the file system of entries that are recorded by name alone. */
#define VOLUME_NONE "mount points"

/* What dir lies on. */
const Volume *volume_of(const Crawl *crawl, const Dir *dir);
/* How to look at entries on it. */
SafeStat volume_ask(const Volume *volume);
/* Is something else mounted at this entry of a directory on volume? */
bool volume_ends(const Volume *volume, const struct statx *st);
/* May what is mounted at name be entered? 1: *out is filled, 0: no, -1: error. */
int volume_admit(Crawl *crawl, const Place *place, const char *name, const struct statx *st,
        Volume *out, GError **error);
/* dir, which is new, is the top of it. */
void volume_begin(Crawl *crawl, Dir *dir, const Volume *volume);
void volume_forget(Crawl *crawl, const Dir *dir);
/* Is this the row of a top that is away, while at its place there is nothing, or an empty
 * directory? now: what is there; NULL: nothing. */
bool volume_is_away(
        Crawl *crawl, const Place *place, const char *name, const Entry *row, const EntryStat *now);
/* The mounts on the way to dir; path: what is relative to its root. */
void volume_crossings(const Crawl *crawl, const Dir *dir, const char *relative, SafeCrossings *out);
/* dir's file system was unmounted: its watches are gone. */
void volume_note_unmount(Crawl *crawl, Dir *dir);
