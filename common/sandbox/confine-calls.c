/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/confine-calls.h"
#include <errno.h>
#include <glib.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __i386__
#define OWN_ARCHITECTURE AUDIT_ARCH_I386
#elif defined __aarch64__ && G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __arm__ && G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OWN_ARCHITECTURE AUDIT_ARCH_ARM
#elif defined __riscv && __riscv_xlen == 64
#define OWN_ARCHITECTURE AUDIT_ARCH_RISCV64
#elif defined __powerpc64__ && G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OWN_ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined __s390x__
#define OWN_ARCHITECTURE AUDIT_ARCH_S390X
#else
#define OWN_ARCHITECTURE 0 /* no filter */
#endif

enum { NEW_NAMESPACES = 0x7e020000 | 0x80 }; /* all CLONE_NEW* flags of clone(2) */

#ifdef __s390x__
enum { CLONE_FLAGS = 1 }; /* the argument of clone() that holds the flags */
#else
enum { CLONE_FLAGS = 0 };
#endif

static const uint16_t allowed_calls[] = {
#include "common/sandbox/confine-calls-table.h"
#ifdef __SANITIZE_ADDRESS__ /* the leak check traces its own process */
        __NR_ptrace,
#endif
};

/* A value that an argument may not hold: the call fails if (argument & mask) == value, or if they
 * differ.
 */
typedef struct {
	uint16_t call;
	uint8_t argument;
	bool must_be_equal;
	uint32_t mask, value;
	uint16_t error;
} ArgumentRule;

static const ArgumentRule argument_rules[] = {
        {__NR_clone, CLONE_FLAGS, true, NEW_NAMESPACES, 0, EPERM},
#ifdef __NR_mmap
        {__NR_mmap, 2, false, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC, EACCES},
#endif
#ifdef __NR_mmap2
        {__NR_mmap2, 2, false, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC, EACCES},
#endif
        {__NR_mprotect, 2, false, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC, EACCES},
        /* nothing is typed into the terminal on behalf of the user */
        {__NR_ioctl, 1, false, ~0u, TIOCSTI, EPERM},
        {__NR_ioctl, 1, false, ~0u, TIOCLINUX, EPERM},
};

static const ArgumentRule local_sockets = {__NR_socket, 0, true, ~0u, AF_UNIX, EAFNOSUPPORT};
/* AF_INET is 2 and AF_INET6 10 */
static const ArgumentRule network_sockets = {
        __NR_socket, 0, true, ~(uint32_t)(AF_INET ^ AF_INET6), AF_INET, EAFNOSUPPORT};
G_STATIC_ASSERT(AF_INET == 2 && AF_INET6 == 10);

enum {
	RULE_LENGTH = 6,
	HEAD_LENGTH = 4,
	MAX_CALL = 1023, /* the greatest number of a call that can be allowed */
	MAX_LENGTH = HEAD_LENGTH + RULE_LENGTH * (G_N_ELEMENTS(argument_rules) + 1) +
	             4 * (G_N_ELEMENTS(allowed_calls) + 1) + 1
};

typedef struct {
	struct sock_filter code[MAX_LENGTH];
	unsigned short length;
} CallFilter;

static void emit(CallFilter *f, struct sock_filter instruction)
{
	f->code[f->length++] = instruction;
}

static void emit_load(CallFilter *f, size_t offset)
{
	emit(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void emit_return(CallFilter *f, uint32_t action)
{
	emit(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Skips this many instructions if the loaded word is equal to a value, and others if it is not. */
static void emit_compare(CallFilter *f, uint32_t value, unsigned equal, unsigned different)
{
	emit(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, equal, different));
}

/* The low half of an argument; the flags and kinds that are looked at have no high half. */
static size_t argument_offset(unsigned i)
{
	return offsetof(struct seccomp_data, args) + 8 * i + (G_BYTE_ORDER == G_BIG_ENDIAN ? 4 : 0);
}

/* The number of the call stays loaded after it, unless it was this call. */
static void emit_argument_rule(CallFilter *f, const ArgumentRule *rule)
{
	emit_compare(f, rule->call, 0, RULE_LENGTH - 1);
	emit_load(f, argument_offset(rule->argument));
	emit(f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
	emit_compare(f, rule->value, rule->must_be_equal ? 1 : 0, rule->must_be_equal ? 0 : 1);
	emit_return(f, SECCOMP_RET_ERRNO | rule->error);
	emit_load(f, offsetof(struct seccomp_data, nr));
}

/* A binary search in the numbers where allowed calls begin and end by turns. Numbers with an even
 * count of such edges below or at them are not allowed. low, high: bounds of that count. */
static void emit_search(CallFilter *f, const uint16_t *edges, unsigned low, unsigned high)
{
	if (low == high) {
		emit_return(f, low % 2 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ENOSYS);
		return;
	}
	unsigned middle = (low + high) / 2, at = f->length;
	emit(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, edges[middle], 0, 0));
	emit_search(f, edges, low, middle);
	g_assert(f->length - at - 1 <= UINT8_MAX);
	f->code[at].jt = f->length - at - 1;
	emit_search(f, edges, middle + 1, high);
}

/* The kernel runs the filter for every number when it is loaded, so a list would cost the client
 * more than the rest of the confinement. */
static void emit_allowed_calls(CallFilter *f, bool network)
{
	bool allowed[MAX_CALL + 2] = {false};
	uint16_t edges[2 * (G_N_ELEMENTS(allowed_calls) + 1)];
	unsigned n = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(allowed_calls); i++)
		if (allowed_calls[i] <= MAX_CALL)
			allowed[allowed_calls[i]] = true;
	allowed[__NR_connect] = network;
	for (unsigned number = 0; number <= MAX_CALL + 1; number++)
		if (allowed[number] != (number > 0 && allowed[number - 1]))
			edges[n++] = number;
	emit_search(f, edges, 0, n);
}

static void write_filter(CallFilter *f, bool network)
{
	emit_load(f, offsetof(struct seccomp_data, arch));
	emit_compare(f, OWN_ARCHITECTURE, 1, 0);
	emit_return(f, SECCOMP_RET_ERRNO | ENOSYS); /* a call of another architecture */
	emit_load(f, offsetof(struct seccomp_data, nr));
	emit_argument_rule(f, network ? &network_sockets : &local_sockets);
	for (size_t i = 0; i < G_N_ELEMENTS(argument_rules); i++)
		emit_argument_rule(f, &argument_rules[i]);
	emit_allowed_calls(f, network);
}

bool confine_calls(bool network)
{
	CallFilter filter = {.length = 0};
	if (OWN_ARCHITECTURE == 0)
		return false;
	write_filter(&filter, network);
	struct sock_fprog program = {filter.length, filter.code};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
