/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maildir.h - what the names of files in a Maildir tell about messages
 *
 * Source: https://cr.yp.to/proto/maildir.html. A message lies in "new" until a reader has seen it,
 * then in "cur", with its flags behind ":2," at the end of its name. Where names cannot have a
 * colon, ";" or "!" stands for it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Is the message in this state: "unread", "flagged" or "answered"? dir: the directory's path. name:
 * raw bytes, not terminated. False if the directory is none of a Maildir. */
bool maildir_state(const char *dir, const char *name, size_t length, const char *state);
