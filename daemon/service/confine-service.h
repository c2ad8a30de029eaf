/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine-service.h - what the daemon may read and write, and who reads the rest for it
 *
 * Besides the system and its own directories it may read its roots and the directory of its
 * configuration, as they are at the start. Roots that came later, and those that may not answer (a
 * rule needs an open directory), are read by agents (daemon/fs/agent-launcher.h). */
#pragma once
#include "common/sandbox/confine.h"
#include "common/settings/settings.h"
#include "daemon/fs/agent-launcher.h"

/* Forks the agent launcher, which is confined like the daemon, but may read everything and write
 * nothing. It has the configuration read again for each agent; settings: as it is now. watch: false
 * for a single pass, whose roots are those of the start. NULL: no root needs it, or there can be no
 * process. */
AgentLauncher *confine_service_launcher(const char *config, const Settings *settings, bool watch);

/* Confines this process, which must have a single thread, for good. Call it after
 * confine_service_launcher(): without an agent launcher where one is needed, everything can be
 * read. writable: its own directories. */
SandboxLevel confine_service(
        const char *config, const Settings *settings, const char *const *writable, bool watch);
