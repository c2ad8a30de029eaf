/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - a directory of the index, open, with the rules in force in it (part of crawl.h) */
#pragma once
#include "daemon/crawl/crawl.h"

typedef struct {
	Dir *dir;
	Root *root;
	int fd;
	RulesDir *rules;
	char *path; /* absolute */
} Place;

typedef enum {
	PLACE_OPEN,
	PLACE_GONE, /* not there, or another directory is */
	PLACE_DENIED,
	PLACE_AWAY, /* the root is offline, or something is mounted over it, or an error that passes
	             */
	PLACE_FAILED /* the index failed; error is set */
} PlaceResult;

PlaceResult place_open(Crawl *crawl, Dir *dir, Place *out, GError **error);
void place_clear(Place *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Place, place_clear)

Root *place_root_of(const Crawl *crawl, const Dir *dir);
/* The root that path is at or below, or NULL; *relative_r is borrowed from path. */
Root *place_root_of_path(const Crawl *crawl, const char *path, const char **relative_r);
/* O_PATH; -1 with errno. Borrowed. */
int place_root_fd(Root *root);
void place_forget_rules(Crawl *crawl);
EntryStat place_stat(int64_t filesystem, const struct statx *st);
