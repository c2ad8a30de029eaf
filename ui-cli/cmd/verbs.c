/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/verbs.h"
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "index/query/query.h"
#include "ui-cli/app/nearest-name.h"
#include <string.h>

enum { MANY = 1000000, ONE_MISTAKE = 100 };

const Option common_options[] = {
        {0, "config", OPTION_TEXT, N_("FILE"), N_("use this configuration file")},
        {0, "index", OPTION_TEXT, N_("DIR"), N_("use the index in this directory")},
        {0, "json", OPTION_FLAG, NULL, N_("print JSON Lines")},
        {'0', "null", OPTION_FLAG, NULL,
                N_("end each path with NUL instead of a newline; paths are byte-exact")},
        {0, "color", OPTION_CHOICE, "auto|always|never",
                N_("use colours and links; always: also in a pipe")},
        {'q', "quiet", OPTION_FLAG, NULL, N_("print nothing; only the exit code tells the result")},
        {'v', "verbose", OPTION_FLAG, NULL, N_("print more messages on stderr")},
        {'h', "help", OPTION_FLAG, NULL, N_("show this help")},
        {0, "version", OPTION_FLAG, NULL, N_("show the version")},
        OPTION_END,
};

static const Option no_options[] = {OPTION_END};

static bool verbs_type_fits(const char *word)
{
	return query_restrict_fits("type", word);
}

static bool verbs_mime_fits(const char *word)
{
	return query_restrict_fits("mime", word);
}

static const Option search_options[] = {
        {0, "at", OPTION_TEXT, N_("NAME"),
                N_("search the target of the export NAME instead of the index")},
        {'n', "limit", OPTION_NUMBER, "N", N_("at most N hits (20 on a terminal, 1000 in a pipe)")},
        {'o', "offset", OPTION_NUMBER, "N", N_("skip the first N hits")},
        {'s', "sort", OPTION_CHOICE, "relevance|date|size|name|path", N_("order of the hits")},
        {'r', "reverse", OPTION_FLAG, NULL, N_("reverse the order")},
        {'d', "dir", OPTION_TEXT, N_("DIR"), N_("only below DIR; repeatable")},
        {'t', "type", OPTION_TEXT, N_("TYPE"),
                N_("only this type: document, text, message, code, ...; repeatable"),
                verbs_type_fits},
        {'e', "ext", OPTION_TEXT, N_("EXT"), N_("only names with this extension; repeatable")},
        {'m', "mime", OPTION_TEXT, "MIME",
                N_("only this MIME type, or a family such as \"text/*\"; repeatable"),
                verbs_mime_fits},
        {'f', "filename", OPTION_FLAG, NULL, N_("match words in file names only")},
        {'a', "any", OPTION_FLAG, NULL, N_("match any of the words")},
        {0, "soft", OPTION_FLAG, NULL, N_("list partial matches after the full matches")},
        {0, "meaning", OPTION_FLAG, NULL,
                N_("then list documents about the same subject, without the words"),
                .against = "soft|passages|reverse"},
        {'w', "exact", OPTION_FLAG, NULL, N_("match words as written, without other forms")},
        {'l', "paths", OPTION_FLAG, NULL, N_("print paths only, one per line")},
        {'c', "count", OPTION_FLAG, NULL, N_("print only the number of hits")},
        {0, "long", OPTION_FLAG, NULL, N_("print blocks as on a terminal, also in a pipe")},
        {0, "passages", OPTION_FLAG, NULL, N_("rank passages of the best documents"),
                .against = "count|exec|open|filename|no-snippets|reverse"},
        {0, "no-snippets", OPTION_FLAG, NULL, N_("do not show text passages")},
        {0, "dups", OPTION_CHOICE, "show|collapse|only",
                N_("equal and nearly equal documents: show all, the best one (default), or only "
                   "those")},
        {'x', "exec", OPTION_COMMAND, N_("CMD {}"),
                N_("run CMD for each hit; {} is its path; CMD ends with {} or \";\"")},
        {0, "open", OPTION_MAYBE, "N", N_("open the first hit or the Nth")},
        {0, "explain", OPTION_FLAG, NULL, N_("show how the query is understood")},
        {0, "wait", OPTION_FLAG, NULL, N_("first wait until all earlier changes are searchable")},
        OPTION_END,
};

static const Option watch_options[] = {
        {'x', "exec", OPTION_COMMAND, N_("CMD {}"),
                N_("run CMD for what begins to match; {} is its path; CMD ends with {} or \";\"")},
        OPTION_END,
};

static const Option similar_options[] = {
        {'n', "limit", OPTION_NUMBER, "N", N_("at most N hits (20 on a terminal, 1000 in a pipe)")},
        {0, "bits", OPTION_NUMBER, "N", N_("compare only simhashes: at most N of 64 bits differ")},
        OPTION_END,
};

static const Option dups_options[] = {
        {'n', "limit", OPTION_NUMBER, "N", N_("at most N groups, or rules")},
        {0, "exact", OPTION_FLAG, NULL, N_("only files with identical bytes")},
        {0, "near", OPTION_FLAG, NULL, N_("only files with the same or nearly equal text")},
        {0, "rules", OPTION_FLAG, NULL,
                N_("directories that mirror each other and names that mark copies"),
                .against = "exact|near"},
        OPTION_END,
};

static const Option show_options[] = {
        {0, "page", OPTION_NUMBER, "N", N_("only this page, slide or sheet"), .against = "meta"},
        {0, "meta", OPTION_FLAG, NULL, N_("metadata only, no text")},
        {0, "plain", OPTION_FLAG, NULL, N_("one line for each block, without boilerplate"),
                .against = "meta|xml"},
        {0, "all", OPTION_FLAG, NULL, N_("with --plain: include boilerplate"), .with = "plain"},
        {0, "xml", OPTION_FLAG, NULL, N_("tagged text as simple XML")},
        {0, "no-pager", OPTION_FLAG, NULL, N_("do not start the pager for a long text")},
        OPTION_END,
};

static const Option extract_options[] = {
        {0, "plain", OPTION_FLAG, NULL, N_("only the main text, without boilerplate")},
        {0, "all", OPTION_FLAG, NULL, N_("with --plain: include boilerplate"), .with = "plain"},
        OPTION_END,
};

static const Option status_options[] = {
        {0, "follow", OPTION_FLAG, NULL, N_("keep showing it until interrupted"),
                .against = "check"},
        {0, "wait", OPTION_MAYBE, N_("SECONDS"),
                N_("wait until all earlier changes are searchable")},
        {0, "check", OPTION_FLAG, NULL, N_("print only problems; the exit code tells the result")},
        OPTION_END,
};

static const Option failed_options[] = {
        {'n', "limit", OPTION_NUMBER, "N",
                N_("at most N lines for each reason (10 on a terminal, all in a pipe)")},
        OPTION_END,
};

static const Option config_options[] = {
        {0, "origin", OPTION_FLAG, NULL, N_("with list: show file and line of each value"),
                .with = "list"},
        OPTION_END,
};

static const Option check_options[] = {
        {0, "repair", OPTION_FLAG, NULL, N_("rebuild a damaged index")},
        OPTION_END,
};

static const Option open_options[] = {
        {0, "forget", OPTION_FLAG, NULL, N_("forget which hits were opened")},
        OPTION_END,
};

static const Option compact_options[] = {
        {0, "scrub", OPTION_FLAG, NULL, N_("erase every deleted word from the disk")},
        OPTION_END,
};

static const Option add_options[] = {
        {0, "site", OPTION_FLAG, NULL, N_("URL: read the site, without asking")},
        {0, "feed", OPTION_FLAG, NULL, N_("URL: read the feed, or the first one of the page")},
        {0, "pages", OPTION_NUMBER, "N", N_("URL: at most N pages (5000)")},
        {0, "depth", OPTION_NUMBER, "N", N_("URL: at most N links away from it; 0: any number")},
        {0, "include", OPTION_TEXT, N_("PATTERN"),
                N_("URL: only URLs that match, as \"*/docs/*\"; repeatable")},
        {0, "exclude", OPTION_TEXT, N_("PATTERN"), N_("URL: no URLs that match; repeatable")},
        {0, "about", OPTION_TEXT, N_("QUERY"),
                N_("URL: visit first what leads to pages about this query")},
        {0, "every", OPTION_TEXT, N_("DURATION"),
                N_("URL: visit each page or feed at least this often: 12h, 7d")},
        {0, "full", OPTION_FLAG, NULL,
                N_("URL: the page of each item of a feed, in place of its text")},
        {0, "keep", OPTION_CHOICE, "page|text|nothing", N_("URL: what is kept for previews")},
        {0, "opml", OPTION_TEXT, N_("FILE"), N_("add the feeds of a list of subscriptions")},
        OPTION_END,
};

static const Option roots_options[] = {
        {0, "opml", OPTION_FLAG, NULL, N_("print the feeds as a list of subscriptions"),
                .against = "json|null"},
        OPTION_END,
};

static const Option web_options[] = {
        {0, "robots", OPTION_TEXT, N_("FILE"), N_("with allowed: the robots.txt of the site"),
                .with = "allowed"},
        {0, "agent", OPTION_TEXT, N_("NAME"), N_("with allowed: the name of the crawler"),
                .with = "allowed"},
        {0, "base", OPTION_TEXT, "URL",
                N_("with canonical and feed: resolve relative URLs against URL"),
                .with = "canonical|feed"},
        {0, "simulate", OPTION_TEXT, N_("TRACE"),
                N_("with plan: the hosts and URLs, as JSON Lines"), .with = "plan"},
        {0, "list", OPTION_TEXT, N_("FILE"), N_("with rules: URLs with sizes and checksums"),
                .with = "rules"},
        OPTION_END,
};

static const Option browse_options[] = {
        {0, "no-open", OPTION_FLAG, NULL, N_("print the address instead of starting a browser")},
        OPTION_END,
};

static const Option mcp_options[] = {
        {0, "root", OPTION_TEXT, N_("DIR"), N_("show nothing outside of DIR; repeatable")},
        {0, "filter", OPTION_TEXT, N_("QUERY"), N_("show only what matches QUERY")},
        OPTION_END,
};

static const Option export_options[] = {
        {0, "to", OPTION_TEXT, N_("TARGET"),
                N_("\"-\" is standard output; or postgresql://HOST/DATABASE, "
                   "https://HOST:PORT/INDEX")},
        {0, "credentials", OPTION_TEXT, N_("FILE"),
                N_("user and password, or api-key, for the target; only you may read the file")},
        {0, "setup", OPTION_FLAG, NULL, N_("make what the target needs first, such as tables")},
        {0, "verify", OPTION_FLAG, NULL,
                N_("only tell what differs; the exit code tells whether anything does")},
        {0, "no-text", OPTION_FLAG, NULL,
                N_("without texts and facts: names, places and permissions")},
        {0, "follow", OPTION_FLAG, NULL, N_("go on, and send each change when it is indexed")},
        {0, "since", OPTION_TEXT, N_("SEQ"),
                N_("with \"--to -\": only what changed after this change")},
        {0, "name", OPTION_TEXT, N_("NAME"),
                N_("for whom the daemon keeps changes; without it the target decides")},
        {0, "forget", OPTION_TEXT, N_("NAME"), N_("keep no changes for this export any more"),
                .against = "to|credentials|setup|verify|no-text|follow|since|name"},
        OPTION_END,
};

const Verb verbs[] = {
        {"search", N_("QUERY…"), N_("search the whole index, best hits first"),
                N_("Options may stand between the words, up to \"--\"; other words that begin with "
                   "\"-\" are negations.\nAny word attached to -d or -e is its value; to exclude "
                   "\"download\", write: -- -download\nThe query language is described in "
                   "tarsier(1)."),
                search_options, 0, MANY, VERB_QUERY, cmd_search},
        {"saved", N_("[list|add NAME QUERY…|remove NAME]"),
                N_("save a search under a name, for saved:NAME in a query"),
                N_("Nothing is saved automatically: there is no search history."), no_options, 0,
                MANY, VERB_QUERY | VERB_MAKES_CONFIG, cmd_saved},
        {"watch", N_("QUERY…"), N_("print what begins and what ceases to match, as it happens"),
                N_("A line begins with \"+\" or \"-\". What changed while nothing watched is "
                   "printed at the start;\nwhat matches at the very first start is not. "
                   "It needs tarsierd, and runs until it is interrupted."),
                watch_options, 1, MANY, VERB_QUERY | VERB_STARTS_PROGRAMS, cmd_watch},
        {"similar", N_("FILE"), N_("documents with nearly the same text as FILE, nearest first"),
                N_("FILE need not be in the index. Write a member of a container as "
                   "OUTER|inner/path."),
                similar_options, 1, 1,
                VERB_NEEDS_INDEX | VERB_CONFINED | VERB_ANY_FILE | VERB_NAMES_PLACES, cmd_similar},
        {"dups", N_("[DIR]"),
                N_("groups of equal and nearly equal files, the most reclaimable space first"),
                NULL, dups_options, 0, 1, VERB_NEEDS_INDEX | VERB_CONFINED | VERB_NAMES_PLACES,
                cmd_dups},
        {"list", N_("[DIR]"), N_("every entry of the index below DIR"), NULL, no_options, 0, 1,
                VERB_NEEDS_INDEX | VERB_CONFINED | VERB_NAMES_PLACES, cmd_list},
        {"show", N_("FILE|ID"), N_("the text of a document, as indexed"),
                N_("Write a member of a container as OUTER|inner/path.\nA number is a document, as "
                   "info and JSON tell it, and no hit of the last search."),
                show_options, 1, 1, VERB_NO_JSON | VERB_NAMES_PLACES, cmd_show},
        {"open", N_("N|ID|FILE"),
                N_("open the Nth hit of the last search, or a document, in its viewer"),
                N_("Write a document as id:7, and a file whose name is a number as ./7."),
                open_options, 0, 1,
                VERB_CONFINED | VERB_ANY_FILE | VERB_STARTS_PROGRAMS | VERB_NAMES_PLACES, cmd_open},
        {"info", N_("FILE…"), N_("everything known about FILE, or why it is not in the index"),
                NULL, no_options, 1, MANY,
                VERB_NEEDS_INDEX | VERB_CONFINED | VERB_MAY_ASK_DAEMON | VERB_NAMES_PLACES,
                cmd_info},
        {"status", "", N_("state of daemon, queue, roots, coverage and limits"), NULL,
                status_options, 0, 0, 0, cmd_status},
        {"failed", N_("[DIR]"), N_("documents that failed or were read in part, and why"), NULL,
                failed_options, 0, 1, VERB_NEEDS_INDEX | VERB_CONFINED | VERB_NAMES_PLACES,
                cmd_failed},
        {"retry", N_("[FILE…]"), N_("queue failed documents again"), NULL, no_options, 0, MANY,
                VERB_NEEDS_DAEMON | VERB_NAMES_PLACES, cmd_retry},
        {"add", N_("[DIR|URL…]"),
                N_("watch directories (default: the home directory), read sites and feeds"),
                N_("A URL is looked at first: its robots.txt, page, feeds and sitemap.\nA site is "
                   "all pages on its host whose path begins as that of URL."),
                add_options, 0, MANY, VERB_NAMES_PLACES | VERB_MAKES_CONFIG, cmd_add},
        {"remove", N_("DIR|URL…"),
                N_("stop watching directories, sites and feeds, and purge them from the index"),
                NULL, no_options, 0, MANY, VERB_NAMES_PLACES, cmd_remove},
        {"roots", "", N_("the watched directories, sites and feeds"), NULL, roots_options, 0, 0, 0,
                cmd_roots},
        {"index", N_("[PATH…]"), N_("update the index now and return when done"), NULL, no_options,
                0, MANY, VERB_NAMES_PLACES, cmd_index},
        {"pause", N_("[DURATION]"), N_("stop indexing until \"resume\", or for 30s, 10min, 2h, 1d"),
                NULL, no_options, 0, 2, VERB_NEEDS_DAEMON, cmd_pause},
        {"resume", "", N_("resume indexing"), NULL, no_options, 0, 0, VERB_NEEDS_DAEMON,
                cmd_resume},
        {"extract", N_("FILE"),
                N_("convert FILE in the sandbox and print its tagged text without indexing it"),
                NULL, extract_options, 1, 1, VERB_NO_JSON | VERB_NAMES_PLACES, cmd_extract},
        {"formats", N_("[NAME|MIME]"), N_("extractors, their types, and what is missing"), NULL,
                no_options, 0, 1, 0, cmd_formats},
        {"check", "", N_("check the index for damage and against the file system"), NULL,
                check_options, 0, 0, VERB_NO_JSON, cmd_check},
        {"compact", "", N_("free the space of deleted entries"), NULL, compact_options, 0, 0,
                VERB_NEEDS_INDEX, cmd_compact},
        {"config", N_("[get KEY|set KEY VALUE|list|check|path]"),
                N_("show or change the configuration"),
                N_("KEY is SECTION.NAME, for instance limits.file; \"set KEY\" without a value "
                   "removes the key."),
                config_options, 0, 3, VERB_HAS_SUBVERBS | VERB_MAKES_CONFIG, cmd_config},
        {"doctor", "", N_("check the installation and tell what to fix"), NULL, no_options, 0, 0, 0,
                cmd_doctor},
        {"tui", N_("[QUERY…]"), N_("search as you type, preview, open"),
                N_("While you type, the last word also matches as a prefix."), no_options, 0, MANY,
                VERB_QUERY | VERB_STARTS_PROGRAMS | VERB_NO_JSON, cmd_tui},
        {"browse", N_("[QUERY…]"), N_("search in your browser: a page of this machine alone"),
                N_("It opens a page that only this browser of yours can see, and runs until the "
                   "page is closed."),
                browse_options, 0, MANY, VERB_QUERY | VERB_NO_JSON, cmd_browse},
        {"mount", N_("DIR"), N_("show searches as directories of links, for other programs"),
                N_("DIR/q/QUERY has links to the hits of any query, DIR/saved/NAME those of a "
                   "saved search.\nIt runs until Ctrl-C, or \"fusermount3 -u DIR\"."),
                no_options, 1, 1, VERB_NO_JSON | VERB_NAMES_PLACES, cmd_mount},
        {"mcp", "", N_("let an assistant search and read, over standard input and output"),
                N_("It speaks the Model Context Protocol. The assistant starts it, and sees what "
                   "you may read.\nIt reads only, uses no network, and ends with its input."),
                mcp_options, 0, 0, 0, cmd_mcp},
        {"export", N_("NAME|--to TARGET|--forget NAME"),
                N_("write all documents with texts and permissions, for another search engine"),
                N_("To standard output: one JSON object a line. A database, or another search "
                   "engine, is "
                   "brought\ninto step: permissions first, then the texts that it lacks. EXPORT.md "
                   "describes them.\nTexts that are not cached are converted again in the sandbox, "
                   "at the lowest priority.\nNAME is a section [export NAME] of the "
                   "configuration."),
                export_options, 0, 1, 0, cmd_export},
        {"web", "allowed|canonical|feed|plan|rules|sitemap|visit",
                N_("parse what sites publish, and tell about visits, without network"),
                N_("allowed: read URLs from standard input; print \"allow\" or \"deny\" for each.\n"
                   "canonical: read URLs from standard input; print each in its one spelling.\n"
                   "feed FILE: print a feed and its items as JSON Lines.\n"
                   "plan: print the requests that the sites of a trace would get, with their "
                   "times.\n"
                   "rules: print by which rules several URLs of a list lead to one page.\n"
                   "sitemap FILE: print the entries of a sitemap as JSON Lines.\n"
                   "visit URL: print whether URL would be visited now, and what keeps it from "
                   "that.\nA FILE that is \"-\" is standard input."),
                web_options, 1, MANY, VERB_HAS_SUBVERBS, cmd_web},
        {"completion", "bash|zsh|fish", N_("print the completion script for a shell"), NULL,
                no_options, 1, 1, VERB_HAS_SUBVERBS | VERB_NO_JSON, cmd_completion},
        {"help", N_("[VERB|TOPIC]"), N_("show help on a verb or a topic"), NULL, no_options, 0, 1,
                VERB_NO_JSON, cmd_help},
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

static size_t verb_names(const char **names)
{
	size_t n = 0;
	for (const Verb *verb = verbs; verb->name; verb++)
		names[n++] = verb->name;
	return n;
}

const Verb *verb_suggest(const char *name, bool strict)
{
	const char *names[G_N_ELEMENTS(verbs)];
	unsigned max = strict ? ONE_MISTAKE : nearest_name_limit(name);
	int best = nearest_name(name, names, verb_names(names), max);
	return best >= 0 ? &verbs[best] : NULL;
}
