/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web.h - the subverbs of "web", one function each, in web-SUBVERB.c */
#pragma once
#include "common/base/document.h"
#include "common/dust/dust.h"
#include "ui-cli/app/cli.h"
#include <stdio.h>

/* Each returns the exit code. The words of cli begin with the subverb; cmd_web() has checked their
 * number. */
int web_allowed(Cli *cli);
int web_canonical(Cli *cli);
int web_feed(Cli *cli);
int web_plan(Cli *cli);
int web_rules(Cli *cli);
int web_sitemap(Cli *cli);
int web_visit(Cli *cli);

/* "web rules SITE". Returns the exit code (web-site-rules.c). */
int web_site_rules(Cli *cli, const char *site);

/* The two sides of a rule, as members of a JSON object; both sides with a tab between them; and as
 * the first line of a block (web-rule-print.c). */
void web_rule_json(GString *out, const DustRule *rule);
void web_rule_plain(const Cli *cli, GString *out, const DustRule *rule);
void web_rule_head(const Cli *cli, GString *out, const DustRule *rule);

/* Notes why a document is missing or incomplete, as web_sitemap() and web_feed() report it. Returns
 * the exit code (web-sitemap.c). */
int web_report(const Cli *cli, const Document *doc, bool any);

/* ---- helpers (web-lines.c) */

/* Is called for each line, which has no line end and may hold any other byte; appends to out.
 * False: stop. */
typedef bool (*WebLineFunc)(const Cli *cli, const GString *line, GString *out, void *data);

/* Reads a file line by line, answering each at once if somebody waits for it. Lines end with LF or
 * CR LF; the end of the last one may be missing. A line is cut at 1 MiB. */
void web_each_line(Cli *cli, FILE *in, WebLineFunc answer, void *data);
/* Appends bytes from outside: escaped on a terminal, as they are for programs. */
void web_append(const Cli *cli, GString *out, const char *bytes, gssize length);
