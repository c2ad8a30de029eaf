/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/landlock.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	RIGHTS_OF_FILES = LANDLOCK_EXECUTE | LANDLOCK_WRITE | LANDLOCK_READ_FILE | 1 << 14 | 1 << 15
};

enum { BIND_TCP = 1, CONNECT_TCP = 2, SCOPE_ABSTRACT_SOCKETS = 1, SCOPE_SIGNALS = 2 };

/* landlock_ruleset_attr of ABI 6; older kernels take a shorter one. */
typedef struct {
	uint64_t files, network, scopes;
} Ruleset;

static uint64_t known_rights(int abi)
{
	if (abi >= 5)
		return 0xffff; /* all rights up to IOCTL_DEV */
	if (abi >= 3)
		return 0x7fff; /* up to TRUNCATE */
	return abi == 2 ? 0x3fff : 0x1fff; /* REFER, or ABI 1 */
}

Landlock landlock_new(uint64_t refused, unsigned allowed)
{
	int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (abi < 1)
		return (Landlock){-1, 0};
	Ruleset attributes = {.files = refused & known_rights(abi)};
	if (abi >= 4)
		attributes.network = BIND_TCP | (allowed & LANDLOCK_CONNECT ? 0 : CONNECT_TCP);
	if (abi >= 6)
		attributes.scopes =
		        SCOPE_SIGNALS |
		        (allowed & LANDLOCK_ABSTRACT_SOCKETS ? 0 : SCOPE_ABSTRACT_SOCKETS);
	size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
	return (Landlock){
	        syscall(SYS_landlock_create_ruleset, &attributes, size, 0), attributes.files};
}

void landlock_clear(Landlock *landlock)
{
	autofd_close(&landlock->fd);
	landlock->fd = -1;
}

static bool add_rule(const Landlock *landlock, const struct landlock_path_beneath_attr *rule)
{
	return syscall(SYS_landlock_add_rule, landlock->fd, LANDLOCK_RULE_PATH_BENEATH, rule, 0) ==
	       0;
}

void landlock_allow(const Landlock *landlock, const char *path, uint64_t rights)
{
	autofd fd = landlock->fd < 0 ? -1 : open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	struct landlock_path_beneath_attr rule = {
	        .allowed_access = rights & landlock->refused, .parent_fd = fd};
	if (rule.allowed_access == 0 || add_rule(landlock, &rule))
		return;
	/* a file has fewer rights; its file system is not asked what it is, for it may not answer
	 */
	rule.allowed_access &= RIGHTS_OF_FILES;
	if (rule.allowed_access != 0 && !add_rule(landlock, &rule))
		g_warning("landlock: %s: %s", path, g_strerror(errno));
}

bool landlock_enter(Landlock *landlock)
{
	bool inside =
	        landlock->fd >= 0 && syscall(SYS_landlock_restrict_self, landlock->fd, 0) == 0;
	landlock_clear(landlock);
	return inside;
}
