/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/copy-names.h"
#include "index/text/tokenizer.h"
#include <glib.h>
#include <string.h>

/* All words are folded, as tokenize_fold() does it. */

/* A directory with one of these words is a backup, and so is a file whose name ends with one. */
static const char *const backup_words[] = {"backup", "backups", "bak", "sicherung", "sicherungen",
        "sicherungskopie", "sauvegarde", "sauvegardes", "respaldo", "respaldos", "snapshot",
        "snapshots", "резервная", NULL};
/* A directory of this name. */
static const char *const old_names[] = {"old", "alt", "alte", "archive", "archives", "archiv",
        "archivo", "archivos", "ancien", "anciens", "anciennes", "viejo", "viejos", "copies",
        "kopien", "previous", "старое", "старые", "архив", "копии", "备份", "バックアップ", NULL};
/* The last part of a file's name, after a dot, a dash or an underscore. */
static const char *const old_endings[] = {
        "bak", "backup", "old", "orig", "save", "sav", "swp", "rej", "dpkg-old", "rpmsave", NULL};
static const char *const copy_beginnings[] = {
        "copy of ", "kopie von ", "copie de ", "copia de ", "копия ", NULL};
static const char *const copy_endings[] = {"copy)", "kopie)", "copie)", "copia)", "копия)",
        " - copy", " - kopie", " - copie", " - copia", " — копия", " копия", NULL};

static bool copy_names_contain(const char *const *words, const char *word, size_t length)
{
	for (; *words; words++)
		if (strlen(*words) == length && memcmp(*words, word, length) == 0)
			return true;
	return false;
}

static int copy_names_compare(void *data, const char *token, int length, int start, int end)
{
	(void)data, (void)start, (void)end;
	return copy_names_contain(backup_words, token, length);
}

static bool is_copy_directory(const char *folded)
{
	size_t length = strlen(folded);
	return copy_names_contain(old_names, folded, length) ||
	       tokenize_query(folded, length, copy_names_compare, NULL) != 0 ||
	       g_str_has_suffix(folded, ".old") || g_str_has_suffix(folded, ".orig");
}

/* Does the name end with "(copy)" or with a part such as "-old"? */
static bool has_copy_ending(const char *name, size_t length)
{
	for (const char *const *ending = copy_endings; *ending; ending++) {
		size_t n = strlen(*ending);
		if (length > n && memcmp(name + length - n, *ending, n) == 0)
			return true;
	}
	size_t last = length;
	while (last > 0 && !strchr("._-", name[last - 1]))
		last--;
	return last > 1 && copy_names_contain(old_endings, name + last, length - last);
}

static bool is_copy_file(const char *folded)
{
	size_t length = strlen(folded);
	const char *dot = strrchr(folded, '.');
	for (const char *const *begin = copy_beginnings; *begin; begin++)
		if (g_str_has_prefix(folded, *begin))
			return true;
	if (length > 1 && folded[length - 1] == '~')
		return true;
	return has_copy_ending(folded, length) ||
	       (dot && dot > folded && has_copy_ending(folded, dot - folded));
}

bool copy_names_path(const char *path)
{
	g_autofree char *folded = tokenize_fold(path, strlen(path));
	g_auto(GStrv) components = g_strsplit(folded, "/", -1);
	for (char **component = components; *component; component++)
		if (component[1] ? is_copy_directory(*component) : is_copy_file(*component))
			return true;
	return false;
}
