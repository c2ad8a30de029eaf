/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robots-rules.h - what the robots.txt of a site allows one agent
 *
 * The extractor of robots.txt sends links, which name the number of their group: LINK_AGENT (href:
 * product token or "*"), LINK_ALLOW, LINK_DISALLOW (href: pattern) and LINK_DELAY (href: seconds).
 * The rules of all groups that name the agent apply; without one, those of all groups of "*".
 * Source: RFC 9309, section 2.2. */
#pragma once
#include "common/base/document.h"

/* How paths and patterns are compared. */
typedef enum {
	/* As written: Google's open parser does so, and leaves encoding to its caller. */
	ROBOTS_AS_WRITTEN,
	/* Patterns in the percent-encoding of canonical URLs, as RFC 9309 wants it; "%2A" and "%24"
	 * in them mean "*" and "$". Paths must come from url_canonical(). */
	ROBOTS_CANONICAL,
} RobotsSpelling;

typedef struct RobotsRules RobotsRules;

/* Collects the rules of doc, a converted robots.txt, for a product token; neither its case matters
 * nor a version after "/". Copies what it needs. The caller frees the result. */
RobotsRules *robots_rules_new(const Document *doc, const char *agent, RobotsSpelling spelling);
void robots_rules_free(RobotsRules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RobotsRules, robots_rules_free)

/* The rules of ROBOTS_CANONICAL as bytes, for storage, and back. Unpacking takes any bytes: what is
 * damaged is not a rule. The caller frees both. */
GBytes *robots_rules_pack(const RobotsRules *rules);
RobotsRules *robots_rules_unpack(GBytes *packed);

/* Does the longest pattern that matches allow the path with its query? Of equal ones, one that
 * allows wins; without one, everything is allowed. The time grows with the path and the logarithm
 * of the number of rules (robots-index.h), but linearly with the rules that have the same bytes
 * before their first "*". */
bool robots_rules_allow(const RobotsRules *rules, const char *path, size_t length);
/* The seconds between requests that the site asks this agent for; the longest if there are several,
 * -1 if there are none. */
double robots_rules_delay(const RobotsRules *rules);

/* Finds path and query in a URL as it is written, without parsing it: from the first of "/?;" after
 * the authority to the fragment. The result points into url, or is "/" if there is none;
 * *needs_slash_r: "/" comes before it. */
const char *robots_url_path(const char *url, size_t length, size_t *length_r, bool *needs_slash_r);
