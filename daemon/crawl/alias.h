/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alias.h - names that find an entry although it has another name (part of crawl.h)
 *
 * FAT, NTFS, SMB and others find a file by its name in any letters, upper or lower case. So the old
 * name still finds a file that got a new one which differs in case alone, and only the list of the
 * directory tells that it is gone. */
#pragma once
#include "daemon/crawl/place.h"

/* True if the directory has no entry of exactly this name, but one whose name differs in case, on a
 * file system that may take them for each other. Reads the list of the directory there. */
bool alias_is(const Crawl *crawl, const Place *place, const char *name);
