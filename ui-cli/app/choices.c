/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/choices.h"
#include "common/base/paths.h"
#include "index/text/tokenizer.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A record is the time in seconds, the key of the words, the path and the member, each ended by
 * NUL; the member may be empty. */
enum { KEY_DIGITS = 16, STRINGS = 4, FILE_MOST = 8 << 20 };

#define HALF_LIFE_S (30.0 * 24 * 60 * 60)
#define WEIGHT_MOST 3.0

typedef struct {
	char *bytes; /* of the file */
	gsize length, position;
} Choices;

typedef struct {
	const char *time, *key, *path, *member; /* in the bytes */
} Choice;

static char *choices_file(const Cli *cli)
{
	return g_build_filename(cli->index_dir, "opened", NULL);
}

static bool choices_are_wanted(Cli *cli)
{
	const Settings *settings = cli_settings(cli, NULL);
	return !settings || settings_bool(settings, "search", "remember-opened", NULL);
}

static void choices_clear(Choices *choices)
{
	g_free(choices->bytes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Choices, choices_clear)

/* False: there are none. */
static bool choices_read(const Cli *cli, Choices *choices)
{
	g_autofree char *file = choices_file(cli);
	*choices = (Choices){0};
	if (!g_file_get_contents(file, &choices->bytes, &choices->length, NULL))
		return false;
	if (choices->length <= FILE_MOST)
		return true;
	g_clear_pointer(&choices->bytes, g_free);
	return false;
}

/* NULL at the end, or where the rest of the file is damaged. */
static const char *choices_next_string(Choices *choices)
{
	const char *start = choices->bytes + choices->position;
	const char *end = memchr(start, '\0', choices->length - choices->position);
	if (!end)
		return NULL;
	choices->position = end + 1 - choices->bytes;
	return start;
}

static bool choices_next(Choices *choices, Choice *choice)
{
	const char *strings[STRINGS];
	for (unsigned i = 0; i < STRINGS; i++)
		if (!(strings[i] = choices_next_string(choices)))
			return false;
	*choice = (Choice){strings[0], strings[1], strings[2], strings[3]};
	return true;
}

char *choices_key(const char *text)
{
	g_autofree char *folded = tokenize_fold(text, strlen(text));
	g_auto(GStrv) words = g_strsplit_set(folded, " \t\n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);
	for (char **word = words; *word; word++)
		if (**word)
			g_string_append_printf(joined, "%s ", *word);
	char *key = g_compute_checksum_for_data(
	        G_CHECKSUM_SHA256, (const guchar *)joined->str, joined->len);
	key[KEY_DIGITS] = '\0';
	return key;
}

/* ---- noting */

static void append_choice(GString *out, const Choice *choice)
{
	const char *strings[STRINGS] = {choice->time, choice->key, choice->path, choice->member};
	for (unsigned i = 0; i < STRINGS; i++)
		g_string_append_len(out, strings[i], strlen(strings[i]) + 1);
}

static unsigned count_choices(Choices choices)
{
	Choice choice;
	unsigned n = 0;
	while (choices_next(&choices, &choice))
		n++;
	return n;
}

/* Appends the records but those of before the last CHOICES_MOST - 1. */
static void append_former(GString *out, Choices choices)
{
	unsigned n = count_choices(choices);
	Choice choice;
	for (unsigned i = 0; choices_next(&choices, &choice); i++)
		if (i + CHOICES_MOST > n)
			append_choice(out, &choice);
}

/* Two that write at the same time lose one of their records, and nothing else. */
static void choices_write(const Cli *cli, const GString *bytes)
{
	g_autofree char *file = choices_file(cli);
	paths_write_private(file, bytes->str, bytes->len, G_FILE_SET_CONTENTS_CONSISTENT, NULL);
}

void choices_note(Cli *cli, const char *key, const char *path, const char *member)
{
	g_auto(Choices) choices = {0};
	g_autoptr(GString) out = g_string_new(NULL);
	if (!choices_are_wanted(cli))
		return;
	if (choices_read(cli, &choices))
		append_former(out, choices);
	g_autofree char *time =
	        g_strdup_printf("%" G_GINT64_FORMAT, g_get_real_time() / G_USEC_PER_SEC);
	append_choice(out, &(Choice){time, key, path, member ? member : ""});
	choices_write(cli, out);
}

/* A page is there as long as the index has it. */
static bool chosen_is_there(Cli *cli, const char *path)
{
	g_autoptr(GPtrArray) infos = NULL;
	if (!path_is_web(path))
		return access(path, F_OK) == 0 || errno != ENOENT;
	Reader *reader = cli_reader(cli, NULL);
	return !reader || !reader_info(reader, path, &infos, NULL) || infos->len > 0;
}

void choices_scrub(Cli *cli)
{
	g_auto(Choices) choices = {0};
	g_autoptr(GString) out = g_string_new(NULL);
	Choice choice;
	if (!choices_read(cli, &choices))
		return;
	while (choices_next(&choices, &choice))
		if (chosen_is_there(cli, choice.path))
			append_choice(out, &choice);
	choices_write(cli, out);
}

/* ---- using */

static void search_choice_clear(gpointer item)
{
	SearchChoice *choice = item;
	g_free(choice->path);
	g_free(choice->member);
}

static SearchChoice *find_choice(GArray *list, const char *path, const char *member)
{
	for (guint i = 0; i < list->len; i++) {
		SearchChoice *each = &g_array_index(list, SearchChoice, i);
		if (strcmp(each->path, path) == 0 && g_strcmp0(each->member, member) == 0)
			return each;
	}
	SearchChoice new = {g_strdup(path), g_strdup(member), 0};
	g_array_append_val(list, new);
	return &g_array_index(list, SearchChoice, list->len - 1);
}

/* The weight of an opening now; one of the future, after the clock was set back, counts once. */
static double weight_of(const char *time)
{
	gint64 then = g_ascii_strtoll(time, NULL, 10);
	double age_s = (double)(g_get_real_time() / G_USEC_PER_SEC) - (double)then;
	return exp2(-MAX(age_s, 0) / HALF_LIFE_S);
}

GArray *choices_for(Cli *cli, const char *text)
{
	g_auto(Choices) choices = {0};
	Choice choice;
	if (!choices_are_wanted(cli) || !choices_read(cli, &choices))
		return NULL;
	g_autofree char *key = choices_key(text);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(SearchChoice));
	g_array_set_clear_func(list, search_choice_clear);
	while (choices_next(&choices, &choice)) {
		if (strcmp(choice.key, key) != 0)
			continue;
		SearchChoice *found =
		        find_choice(list, choice.path, *choice.member ? choice.member : NULL);
		found->raise = MIN(found->raise + weight_of(choice.time), WEIGHT_MOST);
	}
	return list;
}

bool choices_forget(const Cli *cli, GError **error)
{
	g_autofree char *file = choices_file(cli);
	if (unlink(file) == 0 || errno == ENOENT)
		return true;
	int code = errno;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", file,
	        g_strerror(code));
	return false;
}
