/* SPDX-License-Identifier: GPL-3.0-or-later */
/* named-places.h - files and directories as other programs write them: file:// URIs and "~/" */
#pragma once
#include "ui-cli/app/options.h"

/* Replaces them by their paths: in the values of options that take a FILE or DIR, and with words in
 * the other arguments. "~" is the home directory unless the current directory has a file of this
 * name. False with error if a URI is no path on this computer. */
bool named_places_resolve(Arguments *args, bool words, GError **error);
