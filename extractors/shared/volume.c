/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/volume.h"
#include <glib.h>
#include <string.h>

enum { DIGITS_MAX = 4 };

/* Suffixes of archives that are split by programs that do not know their format. */
static bool is_archive_suffix(const char *suffix, size_t length)
{
	static const char *const suffixes[] = {"7z", "zip", "rar", "tar", "gz", "bz2", "xz", "zst",
	        "lzma", "lz", "lz4", "lzo", "lrz", "br", "z", "tgz", "tbz", "tbz2", "txz", "tzst",
	        "cpio", "arj", "lzh", "cab", "iso", "img", "dmg", "wim", "deb", "rpm", "jar", NULL};
	for (unsigned i = 0; suffixes[i]; i++)
		if (strlen(suffixes[i]) == length &&
		        g_ascii_strncasecmp(suffix, suffixes[i], length) == 0)
			return true;
	return false;
}

/* Number of digits at the end of the name. */
static size_t count_digits(const char *name, size_t length)
{
	size_t digits = 0;
	while (digits < length && g_ascii_isdigit(name[length - 1 - digits]))
		digits++;
	return digits;
}

/* Number of suffix letters that split(1) wrote: "aa" to "fz", "aaa" to "aaz". */
static size_t volume_count_letters(const char *name, size_t length)
{
	const char *dot = memrchr(name, '.', length);
	if (dot && is_archive_suffix(dot + 1, name + length - dot - 1))
		return 0;
	size_t letters = 0;
	while (letters < length && g_ascii_islower(name[length - 1 - letters]))
		letters++;
	const char *first = name + length - letters;
	if (letters > 4 && strncmp(first, "part", 4) == 0) {
		letters -= 4;
		first += 4;
	}
	bool is_two = letters == 2 && *first <= 'f';
	return is_two || (letters == 3 && first[0] == 'a' && first[1] == 'a') ? letters : 0;
}

/* The name of an archive, followed by a part number. */
static bool is_numbered(const char *name, size_t length)
{
	size_t digits = count_digits(name, length);
	size_t number = digits > 0 ? digits : volume_count_letters(name, length);
	if (number == 0 || digits > DIGITS_MAX)
		return false;
	size_t stem = length - number;
	bool says_part = stem > 4 && g_ascii_strncasecmp(name + stem - 4, "part", 4) == 0;
	stem -= says_part ? 4 : 0;
	if (stem < 4 || !strchr("._-", name[stem - 1]) || (digits == 1 && !says_part))
		return false;
	stem--;
	const char *dot = memrchr(name, '.', stem);
	return dot && dot > name && is_archive_suffix(dot + 1, name + stem - dot - 1);
}

/* "x.part2.rar"; the first part may be a self-extracting program ("x.part1.exe"). */
static bool is_rar_part(const char *name, size_t length)
{
	bool is_rar = length > 4 && (g_ascii_strcasecmp(name + length - 4, ".rar") == 0 ||
	                                    g_ascii_strcasecmp(name + length - 4, ".exe") == 0);
	size_t digits = is_rar ? count_digits(name, length - 4) : 0;
	size_t stem = length - 4 - digits;
	return digits > 0 && digits <= DIGITS_MAX && stem > 5 &&
	       g_ascii_strncasecmp(name + stem - 5, ".part", 5) == 0;
}

/* First letter of the archive's suffix and two digits: rar (which goes on with s), zip. The memory
 * image of a Z80 is named like a part of a zip. */
static bool is_lettered(const char *name, size_t length)
{
	return length > 4 && name[length - 4] == '.' && count_digits(name, length) == 2 &&
	       strchr("rsz", g_ascii_tolower(name[length - 3])) &&
	       g_ascii_strcasecmp(name + length - 3, "z80") != 0;
}

bool volume_is_part(const char *name)
{
	size_t length = strlen(name);
	return is_lettered(name, length) || is_rar_part(name, length) || is_numbered(name, length);
}
