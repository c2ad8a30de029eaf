/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-agent.h - what the crawler calls itself: in User-Agent, and in robots.txt */
#pragma once

#define WEB_AGENT_NAME "Tarsier"
