/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/confine.h"
#include "common/base/autofd.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/confine-calls.h"
#include "common/sandbox/extract-host.h"
#include "common/sandbox/landlock.h"
#include <fcntl.h>
#include <glib.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* ---- what may be executed */

static int take_interpreter(struct dl_phdr_info *program, size_t size, void *data)
{
	for (unsigned i = 0; i < program->dlpi_phnum; i++)
		if (program->dlpi_phdr[i].p_type == PT_INTERP)
			*(const char **)data =
			        (const char *)(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
	return 1; /* the first one is this program */
}

/* The directory of the dynamic loader, which starts every program; NULL: none is needed. A rule for
 * the directory holds for the file that an update puts there. The caller frees it. */
static char *loader_directory(void)
{
	const char *loader = NULL;
	dl_iterate_phdr(take_interpreter, &loader);
	g_autofree char *real = loader ? realpath(loader, NULL) : NULL;
	return real ? g_path_get_dirname(real) : NULL;
}

/* A developer's extractor may be a script, or a link to a program elsewhere: it may read and start
 * anything. */
static bool is_plain_program(const char *path)
{
	char head[4] = "";
	autofd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && read(fd, head, sizeof head) == sizeof head &&
	       memcmp(head, "\177ELF", sizeof head) == 0;
}

static void allow_execution(const Landlock *landlock, const char *program)
{
	g_autofree char *directory = g_path_get_dirname(program);
	g_autofree char *loader = loader_directory();
	landlock_allow(landlock, directory, LANDLOCK_EXECUTE);
	if (loader)
		landlock_allow(landlock, loader, LANDLOCK_EXECUTE);
}

/* ---- Landlock */

/* The service manager is told of our state, and may listen on an abstract socket (sd_notify(3)). */
static bool needs_abstract_sockets(void)
{
	const char *manager = g_getenv("NOTIFY_SOCKET");
	return manager && *manager == '@';
}

/* Libraries, their tables and settings: the programs must start, and load what they need late. The
 * lists of fonts are what libfontconfig would otherwise make anew at each start. */
static void allow_reading_system(const Landlock *landlock)
{
	static const char *const system[] = {"/usr", "/lib", "/lib32", "/lib64", "/opt", "/nix",
	        "/gnu", "/etc", "/proc", "/sys", "/dev", "/var/cache/fontconfig", LOCALEDIR,
	        PKGDATADIR};
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++)
		landlock_allow(landlock, system[i], LANDLOCK_READ);
}

static void allow_reading_program(const Landlock *landlock, const char *program)
{
	g_autofree char *directory = g_path_get_dirname(program);
	landlock_allow(landlock, directory, LANDLOCK_READ);
}

static bool confine_files(const Confinement *wanted)
{
	g_autofree char *extractor = host_program();
	bool plain = is_plain_program(extractor);
	uint64_t free_rights =
	        (plain && wanted->readable ? 0 : LANDLOCK_READ) | (plain ? 0 : LANDLOCK_EXECUTE);
	Landlock landlock = landlock_new(LANDLOCK_ALL & ~free_rights,
	        needs_abstract_sockets() ? LANDLOCK_ABSTRACT_SOCKETS : 0);
	allow_execution(&landlock, extractor);
	landlock_allow(&landlock, "/proc/self/exe", LANDLOCK_EXECUTE); /* the agent */
	allow_reading_system(&landlock);
	allow_reading_program(&landlock, extractor);
	landlock_allow(&landlock, host_plugin_directory(), LANDLOCK_READ);
	for (const char *const *path = wanted->readable; path && *path; path++)
		landlock_allow(&landlock, *path, LANDLOCK_READ);
	for (const char *const *path = wanted->writable; *path; path++)
		landlock_allow(&landlock, *path, LANDLOCK_READ | LANDLOCK_CHANGE);
	landlock_allow(&landlock, "/dev/null", LANDLOCK_WRITE);
	/* The extractors make themselves the OOM killer's first choice. For root, /proc is too much
	 * to be written. */
	if (geteuid() != 0)
		landlock_allow(&landlock, "/proc", LANDLOCK_WRITE);
	return landlock_enter(&landlock);
}

static SandboxLevel confinement_level(bool files, bool calls)
{
	if (calls)
		return files ? SANDBOX_FULL : SANDBOX_SECCOMP;
	return files ? SANDBOX_LANDLOCK : SANDBOX_NONE;
}

SandboxLevel confine(const Confinement *wanted)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return SANDBOX_NONE;
	bool files = confine_files(wanted);
	return confinement_level(files, confine_calls(false));
}

void confine_agent(const char *root)
{
	Landlock landlock = landlock_new(LANDLOCK_ALL, 0);
	landlock_allow(&landlock, root, LANDLOCK_READ);
	if (!landlock_enter(&landlock))
		g_debug("confine: no Landlock for the agent");
}

/* Settings of the resolver are often links to /run, and certificates to /var/lib. program: NULL:
 * nothing may be started. */
static bool confine_network_files(const char *program, const char *readable)
{
	bool plain = !program || is_plain_program(program);
	uint64_t free_rights = plain ? 0 : LANDLOCK_READ | LANDLOCK_EXECUTE;
	Landlock landlock = landlock_new(LANDLOCK_ALL & ~free_rights, LANDLOCK_CONNECT);
	allow_reading_system(&landlock);
	if (program) {
		allow_execution(&landlock, program);
		allow_reading_program(&landlock, program);
	}
	landlock_allow(&landlock, "/run", LANDLOCK_READ);
	landlock_allow(&landlock, "/var/lib/ca-certificates", LANDLOCK_READ);
	if (readable)
		landlock_allow(&landlock, readable, LANDLOCK_READ);
	landlock_allow(&landlock, "/dev/null", LANDLOCK_WRITE);
	return landlock_enter(&landlock);
}

SandboxLevel confine_launcher(const char *program, const char *readable)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return SANDBOX_NONE;
	bool files = confine_network_files(program, readable);
	return confinement_level(files, confine_calls(true));
}

SandboxLevel confine_connections(const char *readable)
{
	return confine_launcher(NULL, readable);
}
