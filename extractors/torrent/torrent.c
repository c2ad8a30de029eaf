/* SPDX-License-Identifier: GPL-3.0-or-later */
/* torrent.c - BitTorrent files: the name of a download and the names of its files
 *
 * Version 1 (BEP 3) lists files as paths, version 2 (BEP 52) as a tree of directories. The files
 * are not in the torrent, so their names are text of the document and not members. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/torrent/bencode.h"

enum { MAX_DIRECTORIES = 32 /* most nested directories in a tree */ };

typedef struct {
	Sink *sink;
	char *charset; /* declared by the key "encoding"; or NULL */
} Torrent;

/* Strings are UTF-8, but in old files often in the charset that "encoding" names. The caller owns
 * the result. */
static char *torrent_text(const Torrent *torrent, Bytes value)
{
	Bytes text = bencode_string(value);
	return text.size > 0 ? decode_text(text.data, text.size, torrent->charset, NULL, NULL)
	                     : NULL;
}

static bool torrent_put_block(const Torrent *torrent, DocTag tag, const char *text)
{
	return sink_block(torrent->sink, tag) && sink_text(torrent->sink, tag, text, -1);
}

/* Returns the value of a key. If an old program wrote it twice ("name", "name.utf-8"), returns the
 * one in UTF-8. */
static Bytes torrent_get(Bytes dictionary, const char *key)
{
	g_autofree char *utf8_key = g_strconcat(key, ".utf-8", NULL);
	Bytes value = bencode_get(dictionary, utf8_key);
	return value.size > 0 ? value : bencode_get(dictionary, key);
}

static bool torrent_put_field(
        const Torrent *torrent, DocField field, Bytes dictionary, const char *key)
{
	g_autofree char *text = torrent_text(torrent, torrent_get(dictionary, key));
	return !text || sink_field(torrent->sink, field, text, -1);
}

/* The value is in seconds since 1970. */
static bool torrent_put_date(const Torrent *torrent, Bytes value)
{
	int64_t seconds;
	g_autoptr(GDateTime) date = NULL;
	if (bencode_number(value, &seconds))
		date = g_date_time_new_from_unix_utc(seconds);
	g_autofree char *text = date ? g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ") : NULL;
	return !text || (sink_field(torrent->sink, FIELD_DATE, text, -1) &&
	                        sink_field(torrent->sink, FIELD_CREATED, text, -1));
}

/* Version 1 has a file as a list of path components: "Lamps", "north", "pier.odt". */
static bool torrent_put_path(const Torrent *torrent, Bytes list)
{
	Bytes rest = bencode_items(list, 'l'), part;
	g_autoptr(GString) path = g_string_new(NULL);
	while (bencode_next(&rest, &part, NULL)) {
		g_autofree char *name = torrent_text(torrent, part);
		if (name)
			g_string_append_printf(path, "%s%s", path->len > 0 ? "/" : "", name);
	}
	return path->len == 0 || torrent_put_block(torrent, TAG_BODY, path->str);
}

static bool torrent_put_files(const Torrent *torrent, Bytes list)
{
	Bytes rest = bencode_items(list, 'l'), file;
	while (bencode_next(&rest, &file, NULL))
		if (!torrent_put_path(torrent, torrent_get(file, "path")))
			return false;
	return true;
}

/* In version 2 a key is the name of a directory or file. A file has one key, which is empty. */
static bool torrent_put_tree(const Torrent *torrent, Bytes tree, const char *path, unsigned depth)
{
	Bytes rest = bencode_items(tree, 'd'), key, value;
	while (bencode_next(&rest, &key, NULL) && bencode_next(&rest, &value, NULL)) {
		g_autofree char *name = torrent_text(torrent, key);
		if (!name)
			return !path || torrent_put_block(torrent, TAG_BODY, path);
		g_autofree char *inner =
		        path ? g_strdup_printf("%s/%s", path, name) : g_steal_pointer(&name);
		if (depth < MAX_DIRECTORIES && !torrent_put_tree(torrent, value, inner, depth + 1))
			return false;
	}
	return true;
}

/* The addresses of servers are in a list of lists. */
static bool torrent_put_trackers(const Torrent *torrent, Bytes tiers)
{
	Bytes rest = bencode_items(tiers, 'l'), tier, tracker;
	while (bencode_next(&rest, &tier, NULL))
		for (Bytes inner = bencode_items(tier, 'l');
		        bencode_next(&inner, &tracker, NULL);) {
			g_autofree char *text = torrent_text(torrent, tracker);
			if (text && !torrent_put_block(torrent, TAG_NOISE, text))
				return false;
		}
	return true;
}

static bool torrent_put_name(const Torrent *torrent, Bytes info)
{
	g_autofree char *name = torrent_text(torrent, torrent_get(info, "name"));
	return !name || (sink_field(torrent->sink, FIELD_TITLE, name, -1) &&
	                        torrent_put_block(torrent, TAG_HEADING1, name));
}

static void torrent_put(const Torrent *torrent, Bytes root)
{
	Bytes info = bencode_get(root, "info");
	g_autofree char *announce = torrent_text(torrent, bencode_get(root, "announce"));
	Bytes trackers = bencode_get(root, "announce-list");

	if (!torrent_put_name(torrent, info) ||
	        !torrent_put_field(torrent, FIELD_COMMENT, root, "comment") ||
	        !torrent_put_field(torrent, FIELD_GENERATOR, root, "created by") ||
	        !torrent_put_date(torrent, bencode_get(root, "creation date")) ||
	        !torrent_put_files(torrent, bencode_get(info, "files")))
		return;
	/* a file of both versions lists its files twice */
	if (bencode_get(info, "files").size == 0 &&
	        !torrent_put_tree(torrent, bencode_get(info, "file tree"), NULL, 0))
		return;
	if (trackers.size > 0)
		torrent_put_trackers(torrent, trackers);
	else if (announce)
		torrent_put_block(torrent, TAG_NOISE, announce);
}

static ExtractResult torrent_extract(const Input *in, Sink *sink)
{
	Bytes rest = {in->data, in->size}, root, charset;
	Torrent torrent = {.sink = sink};
	bool is_whole;

	if (!bencode_next(&rest, &root, &is_whole) || root.data[0] != 'd')
		return sink_fail(sink, REASON_DAMAGED, NULL);
	charset = bencode_string(bencode_get(root, "encoding"));
	torrent.charset =
	        charset.size > 0 ? g_strndup((const char *)charset.data, charset.size) : NULL;
	torrent_put(&torrent, root);
	g_free(torrent.charset);
	if (!is_whole)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {"application/x-bittorrent", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "torrent",
        .version = 1,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = torrent_extract,
};
