/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/fetch-sandbox.h"
#include "common/ipc/fetch-wire.h"
#include "common/sandbox/landlock.h"
#include "fetch/fetch-filter.h"
#include <dlfcn.h>
#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_FILES = 512, MAX_NAME_MODULES = 16 };
enum { MAX_MEMORY = 1 << 30 }; /* bytes of address space */
enum { STACK_BYTES = 512 << 10 }; /* of a thread that resolves a name */

/* ---- before the sandbox */

static void fetch_set_limit(int resource, rlim_t value)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) < 0)
		return;
	limit.rlim_max = MIN(value, limit.rlim_max);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

/* A name server that is slow keeps threads alive whose requests have ended. With the usual stacks
 * of 8 MiB, a hundred of them would take up the address space. */
static void fetch_limit_stacks(void)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return;
	if (pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0)
		pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
}

void fetch_sandbox_harden(int first_fd)
{
	syscall(SYS_close_range, first_fd, ~0u, 0);
	setsid();
	clearenv();
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit must fail instead */
	signal(SIGPIPE, SIG_IGN);
	fetch_set_limit(RLIMIT_CORE, 0);
	fetch_set_limit(RLIMIT_MSGQUEUE, 0);
	fetch_set_limit(RLIMIT_MEMLOCK, 0);
	fetch_set_limit(RLIMIT_NOFILE, MAX_FILES);
	fetch_set_limit(RLIMIT_FSIZE, FETCH_MAX_BODY);
#ifndef __SANITIZE_ADDRESS__
	fetch_set_limit(RLIMIT_AS, MAX_MEMORY);
#endif
	fetch_limit_stacks();
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void fetch_load_name_module(const char *name)
{
	if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
		return; /* an action such as [NOTFOUND=return] */
	g_autofree char *library = g_strdup_printf("libnss_%s.so.2", name);
	/* the C library has its own handle, so this one stays open */
	(void)dlopen(library, RTLD_NOW);
}

void fetch_sandbox_load_names(void)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents("/etc/nsswitch.conf", &text, NULL, NULL))
		return;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (!g_str_has_prefix(*line, "hosts:"))
			continue;
		g_auto(GStrv) names =
		        g_strsplit_set(*line + strlen("hosts:"), " \t", MAX_NAME_MODULES);
		for (char **name = names; *name; name++)
			fetch_load_name_module(*name);
	}
}

/* ---- the sandbox */

bool fetch_sandbox_enter(const char *certificates)
{
	static const char *const readable[] = {"/etc/ssl/certs", "/etc/ssl/cert.pem",
	        "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
	        "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/gnutls",
	        "/etc/crypto-policies", "/usr/share/crypto-policies", "/etc/resolv.conf",
	        "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
	        "/etc/services", "/dev/null", "/dev/urandom"};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return false;
	Landlock landlock = landlock_new(LANDLOCK_ALL, LANDLOCK_CONNECT);
	for (size_t i = 0; i < G_N_ELEMENTS(readable); i++)
		landlock_allow(&landlock, readable[i], LANDLOCK_READ);
	if (certificates)
		landlock_allow(&landlock, certificates, LANDLOCK_READ);
	return landlock_enter(&landlock) && fetch_filter_enter();
}
