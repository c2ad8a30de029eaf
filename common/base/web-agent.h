/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-agent.h - what the crawler calls itself: in User-Agent, and in robots.txt */
#pragma once
#include <stdbool.h>

#define WEB_AGENT_NAME "Tarsier"

enum { WEB_CONTACT_MOST = 200 }; /* bytes */

/* May the text stand in User-Agent as the way to reach whoever runs the crawler? It is a mail
 * address, or a URL of http or https, and has nothing that could end the comment it stands in, or
 * the header. */
bool web_contact_is_valid(const char *text);
