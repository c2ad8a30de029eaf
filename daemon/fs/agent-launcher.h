/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent-launcher.h - a process that starts agents for what the daemon may not read
 *
 * The daemon confines itself to reading what it needs at its start, and can never be given more. So
 * it forks the agent launcher before. Roots that came later (added, moved, on a disk that was
 * plugged in) and roots on file systems that may hang are read by an agent (agent.h), which the
 * launcher forks when the daemon asks for it. The launcher believes nobody: it starts an agent for
 * a path only if the configuration names it as a root at that moment, or named it when it could
 * last be read, and the agent may read what is below that root, and nothing else. It also opens the
 * files of the configuration, which may be links to anywhere or lie in a directory that was made
 * later. An agent lives as long as the daemon's end of its socket.
 *
 * Nothing could start another launcher, so this one neither hangs nor is missed when it dies. Each
 * order is carried out by a process of its own, which may hang (agent-launcher-serve.c), and a
 * spare, which the launcher forks, takes its place when it ends: the agents end with the old one,
 * and the daemon asks for new ones. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* The calls that the launcher makes. All run in the launcher's processes. */
typedef struct {
	/* before the first order; what it returns, below 256, is agent_launcher_level() */
	unsigned (*confine_launcher)(void);
	void (*confine_agent)(const char *root);
	/* the roots of the configuration as it stands, which the caller frees; NULL: it cannot be
	 * read. This may take for ever. */
	char **(*read_roots)(void *data);
	bool (*is_config)(const char *path, void *data);
	void *data;
	const char *const *roots; /* as the configuration was last read */
} AgentLauncherRules;

typedef struct AgentLauncher AgentLauncher;

/* Forks the launcher and makes it the one of this process. Call it while the process has a single
 * thread and few pages of its own, and before confine(). NULL: there can be no process. */
AgentLauncher *agent_launcher_new(const AgentLauncherRules *rules);
/* Ends the launcher, and reaps it. NULL is fine. */
void agent_launcher_free(AgentLauncher *launcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AgentLauncher, agent_launcher_free)
/* NULL: agents are started directly. */
AgentLauncher *agent_launcher_of_process(void);

/* How far the launcher could confine itself; waits until it has tried. -1: it has ended. */
int agent_launcher_level(AgentLauncher *launcher);
/* Starts an agent for a root and returns at once. socket: the agent's end, which stays open here.
 * If it does not start, the other end of the socket is closed. False with errno: the launcher is
 * gone, or the path is too long. */
bool agent_launcher_start(AgentLauncher *launcher, const char *root, int socket);
/* Opens a file or directory of the configuration for reading. -1 with errno; with ETIMEDOUT after
 * AGENT_PATIENCE_MS. */
int agent_launcher_open_config(AgentLauncher *launcher, const char *path);
/* ended: is run once in the main loop after an order found the launcher and its spare gone. */
void agent_launcher_on_end(AgentLauncher *launcher, GSourceFunc ended, void *data);
