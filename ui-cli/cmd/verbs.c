/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/verbs.h"
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include <string.h>

enum { MANY = 1000000 };

const Option common_options[] = {
        {0, "config", OPTION_TEXT, "FILE", N_("use this configuration file")},
        {0, "index", OPTION_TEXT, "DIR", N_("use the index in this directory")},
        {0, "json", OPTION_FLAG, NULL, N_("print JSON Lines")},
        {'0', "null", OPTION_FLAG, NULL,
                N_("end each path with a NUL instead of a newline, byte exact")},
        {0, "color", OPTION_CHOICE, "auto|always|never",
                N_("colours and links; always: also in a pipe")},
        {'q', "quiet", OPTION_FLAG, NULL, N_("print nothing, answer by the exit code")},
        {'v', "verbose", OPTION_FLAG, NULL, N_("say more on stderr")},
        {'h', "help", OPTION_FLAG, NULL, N_("show this help")},
        {0, "version", OPTION_FLAG, NULL, N_("show the version")},
        OPTION_END,
};

static const Option no_options[] = {OPTION_END};

static const Option search_options[] = {
        {'n', "limit", OPTION_NUMBER, "N", N_("at most N hits (20 on a terminal, 1000 in a pipe)")},
        {'o', "offset", OPTION_NUMBER, "N", N_("leave out the first N hits")},
        {'s', "sort", OPTION_CHOICE, "relevance|date|size|name|path", N_("order of the hits")},
        {'r', "reverse", OPTION_FLAG, NULL, N_("the other way round")},
        {'d', "dir", OPTION_TEXT, "DIR", N_("only below DIR; repeatable")},
        {'t', "type", OPTION_TEXT, "TYPE",
                N_("only this kind: document, text, message, code, ...; repeatable")},
        {'e', "ext", OPTION_TEXT, "EXT", N_("only names with this ending; repeatable")},
        {'m', "mime", OPTION_TEXT, "MIME",
                N_("only this MIME type, \"text/*\" for a family; repeatable")},
        {'f', "filename", OPTION_FLAG, NULL, N_("words are met by names only")},
        {'a', "any", OPTION_FLAG, NULL, N_("any of the words is enough")},
        {0, "soft", OPTION_FLAG, NULL, N_("after what has all words, list what has some of them")},
        {'w', "exact", OPTION_FLAG, NULL, N_("words as written, no other forms of them")},
        {'l', "paths", OPTION_FLAG, NULL, N_("print paths only, one a line")},
        {'c', "count", OPTION_FLAG, NULL, N_("print the number of hits only")},
        {0, "no-snippets", OPTION_FLAG, NULL, N_("show no passages of the text")},
        {0, "dups", OPTION_CHOICE, "show|collapse|only",
                N_("equal and nearly equal documents: all, the best one (preset), or only those")},
        {'x', "exec", OPTION_COMMAND, "CMD {}",
                N_("run CMD for each hit, {} is its path; ends with {} or \";\"")},
        {0, "open", OPTION_MAYBE, "N", N_("open the first, or the Nth, hit")},
        {0, "explain", OPTION_FLAG, NULL, N_("show how the query is understood")},
        {0, "wait", OPTION_FLAG, NULL,
                N_("first wait until all changes made before are searchable")},
        OPTION_END,
};

static const Option similar_options[] = {
        {'n', "limit", OPTION_NUMBER, "N", N_("at most N hits (20 on a terminal, 1000 in a pipe)")},
        {0, "bits", OPTION_NUMBER, "N",
                N_("by the simhash alone: at most N of its 64 bits differ")},
        OPTION_END,
};

static const Option dups_options[] = {
        {0, "exact", OPTION_FLAG, NULL, N_("only files with equal bytes")},
        {0, "near", OPTION_FLAG, NULL, N_("only files with the same or nearly equal text")},
        {0, "rules", OPTION_FLAG, NULL,
                N_("directories that mirror each other and names that mark copies")},
        OPTION_END,
};

static const Option show_options[] = {
        {0, "page", OPTION_NUMBER, "N", N_("only this page, slide or sheet")},
        {0, "meta", OPTION_FLAG, NULL, N_("facts only, no text")},
        {0, "plain", OPTION_FLAG, NULL, N_("plain text without tags and noise")},
        {0, "all", OPTION_FLAG, NULL, N_("with --plain: noise too")},
        OPTION_END,
};

static const Option extract_options[] = {
        {0, "plain", OPTION_FLAG, NULL, N_("the main text alone, noise left out")},
        {0, "all", OPTION_FLAG, NULL, N_("with --plain: noise too")},
        OPTION_END,
};

static const Option status_options[] = {
        {0, "follow", OPTION_FLAG, NULL, N_("go on showing it until interrupted")},
        {0, "wait", OPTION_MAYBE, "SECONDS",
                N_("wait until all changes made before are searchable")},
        {0, "check", OPTION_FLAG, NULL, N_("print only what is wrong; the exit code tells")},
        OPTION_END,
};

static const Option config_options[] = {
        {0, "origin", OPTION_FLAG, NULL, N_("with list: file and line of each value")},
        OPTION_END,
};

static const Option check_options[] = {
        {0, "repair", OPTION_FLAG, NULL, N_("make a damaged index anew")},
        OPTION_END,
};

static const Option compact_options[] = {
        {0, "scrub", OPTION_FLAG, NULL, N_("until no word of what was deleted is on the disk")},
        OPTION_END,
};

const Verb verbs[] = {
        {"search", N_("QUERY…"), N_("ranked search over the whole index"),
                N_("Options stand before the first word; later words that begin with \"-\" are "
                   "negations.\n"
                   "The query language is described in tarsier(1)."),
                search_options, 0, MANY, VERB_QUERY, cmd_search},
        {"saved", N_("[list|add NAME QUERY…|remove NAME]"),
                N_("keep a search under a name, for saved:NAME in a query"),
                N_("Nothing is saved by itself: there is no history of searches."), no_options, 0,
                MANY, VERB_QUERY, cmd_saved},
        {"similar", N_("FILE"), N_("documents with nearly the text of FILE, nearest first"),
                N_("FILE need not be in the index. A member of a container is written "
                   "OUTER|inner/path."),
                similar_options, 1, 1, VERB_NEEDS_INDEX, cmd_similar},
        {"dups", N_("[DIR]"), N_("groups of equal and nearly equal files, biggest gain first"),
                NULL, dups_options, 0, 1, VERB_NEEDS_INDEX, cmd_dups},
        {"list", N_("[DIR]"), N_("every entry that the index holds below DIR"), NULL, no_options, 0,
                1, VERB_NEEDS_INDEX, cmd_list},
        {"show", N_("FILE|ID"), N_("the tagged text of a document as indexed"),
                N_("A member of a container is written OUTER|inner/path."), show_options, 1, 1,
                VERB_NEEDS_INDEX, cmd_show},
        {"open", N_("N|ID|FILE"),
                N_("open the Nth hit of the last search, or a document, in its viewer"),
                N_("A file whose name is a number is written ./7."), no_options, 1, 1, 0, cmd_open},
        {"info", N_("FILE…"), N_("all that is known of FILE, or what keeps it out of the index"),
                NULL, no_options, 1, MANY, VERB_NEEDS_INDEX, cmd_info},
        {"status", "", N_("state of daemon, queue, roots, coverage and limits"), NULL,
                status_options, 0, 0, 0, cmd_status},
        {"failed", "", N_("documents whose conversion failed, and why"), NULL, no_options, 0, 0,
                VERB_NEEDS_INDEX, cmd_failed},
        {"retry", N_("[FILE…]"), N_("queue failed documents again"), NULL, no_options, 0, MANY,
                VERB_NEEDS_DAEMON, cmd_retry},
        {"add", N_("[DIR…]"), N_("watch directories from now on (preset: the home directory)"),
                NULL, no_options, 0, MANY, 0, cmd_add},
        {"remove", N_("DIR…"), N_("watch directories no longer and purge them from the index"),
                NULL, no_options, 0, MANY, 0, cmd_remove},
        {"roots", "", N_("the watched directories"), NULL, no_options, 0, 0, 0, cmd_roots},
        {"index", N_("[PATH…]"), N_("bring the index up to date now and return when it is"), NULL,
                no_options, 0, MANY, 0, cmd_index},
        {"pause", N_("[DURATION]"), N_("stop indexing until resume, or for 30s, 10min, 2h, 1d"),
                NULL, no_options, 0, 1, VERB_NEEDS_DAEMON, cmd_pause},
        {"resume", "", N_("go on indexing"), NULL, no_options, 0, 0, VERB_NEEDS_DAEMON, cmd_resume},
        {"extract", N_("FILE"),
                N_("convert FILE in the sandbox and print its tagged text, indexing nothing"), NULL,
                extract_options, 1, 1, 0, cmd_extract},
        {"formats", "", N_("converters, their types, and what is missing"), NULL, no_options, 0, 0,
                0, cmd_formats},
        {"check", "", N_("verify the index against itself and the file system"), NULL,
                check_options, 0, 0, 0, cmd_check},
        {"compact", "", N_("give the space of what was deleted back"), NULL, compact_options, 0, 0,
                VERB_NEEDS_INDEX, cmd_compact},
        {"config", N_("[get KEY|set KEY VALUE|list|check|path]"),
                N_("show and change the configuration"),
                N_("KEY is SECTION.NAME, for instance limits.file; \"set KEY\" without a value "
                   "removes it."),
                config_options, 0, 3, 0, cmd_config},
        {"doctor", "", N_("look for what keeps tarsier from working well"), NULL, no_options, 0, 0,
                0, cmd_doctor},
        {"tui", N_("[QUERY…]"), N_("search as you type, preview, open"),
                N_("The last word also counts as the beginning of one while it is typed."),
                no_options, 0, MANY, VERB_QUERY | VERB_NEEDS_INDEX, cmd_tui},
        {"completion", "bash|zsh|fish", N_("print the completions for a shell"), NULL, no_options,
                1, 1, 0, cmd_completion},
        {"help", N_("[VERB]"), N_("show help"), NULL, no_options, 0, 1, 0, cmd_help},
        {NULL},
};

const Verb *verb_find(const char *name)
{
	for (const Verb *verb = verbs; verb->name; verb++) {
		if (strcmp(verb->name, name) == 0)
			return verb;
	}
	return NULL;
}
