/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostile.c - a plugin taken over by the file it reads: does what the file's first word says
 *
 * What it tries of the system it reports as its text: "refused", or "allowed" if it came through,
 * unless it is killed for it. Built once for each lane. */
#include <config.h>
#include "extractors/extractor.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- tries of the system: negative if it is refused. Each is harmless if it is not. */

/* The file that is to be converted. */
static int input_fd(void)
{
	struct stat info;
	for (int fd = 3; fd < 64; fd++)
		if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
			return fd;
	return -1;
}

static long try_open(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long try_open_directory(void)
{
	return open("/", O_RDONLY | O_DIRECTORY);
}

static long try_open_name(void)
{
	return open("/etc/passwd", O_PATH);
}

static long try_open2(void)
{
	const uint64_t how[3] = {O_RDONLY};
	return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof how);
}

static long try_own_memory(void)
{
	return open("/proc/self/mem", O_RDWR);
}

static long try_environment(void)
{
	return open("/proc/1/environ", O_RDONLY);
}

static long try_write(void)
{
	return open("/tmp/tarsier-hostile", O_WRONLY | O_CREAT, 0600);
}

static long try_nameless(void)
{
	return open("/tmp", O_TMPFILE | O_RDWR, 0600);
}

static long try_access(void)
{
	return access("/", F_OK);
}

static long try_status(void)
{
	char facts[256];
	return syscall(SYS_statx, AT_FDCWD, "/", 0, 0x7ff, facts);
}

static long try_link_target(void)
{
	char target[64];
	return readlink("/proc/self/exe", target, sizeof target);
}

static long try_directory(void)
{
	return mkdir("/tmp/tarsier-hostile.d", 0700);
}

static long try_remove(void)
{
	return unlink("/tmp/tarsier-hostile");
}

static long try_rename(void)
{
	return rename("/tmp/tarsier-hostile", "/tmp/tarsier-hostile2");
}

static long try_link(void)
{
	return link("/etc/passwd", "/tmp/tarsier-hostile3");
}

static long try_symlink(void)
{
	return symlink("/etc/passwd", "/tmp/tarsier-hostile4");
}

static long try_chdir(void)
{
	return chdir("/");
}

static long try_chmod(void)
{
	return fchmod(input_fd(), 0600);
}

static long try_chmod_name(void)
{
	return chmod("/tmp/tarsier-hostile", 0600);
}

static long try_owner(void)
{
	return fchown(input_fd(), -1, -1);
}

static long try_times(void)
{
	return futimens(input_fd(), NULL);
}

static long try_cut(void)
{
	return ftruncate(input_fd(), lseek(input_fd(), 0, SEEK_END));
}

static long try_exec(void)
{
	char *arguments[] = {(char *)"/bin/true", NULL};
	return execve("/nonexistent/true", arguments, NULL) == 0 || errno == ENOENT ? 0 : -1;
}

static long try_exec_file(void)
{
	char *arguments[] = {(char *)"true", NULL};
	syscall(SYS_execveat, -1, "true", arguments, NULL, 0);
	return errno == EBADF ? 0 : -1;
}

static long try_memory_file(void)
{
	return memfd_create("hostile", 0);
}

static long try_inet(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0);
}

static long try_inet6(void)
{
	return socket(AF_INET6, SOCK_STREAM, 0);
}

static long try_netlink(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0);
}

/* The session bus would start any program for us. */
static long try_bus(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long try_pair(void)
{
	int ends[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static long try_pipe(void)
{
	int ends[2];
	return pipe(ends);
}

static long try_fork(void)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	return pid;
}

static long try_namespace(void)
{
	pid_t pid = syscall(SYS_clone, 0x10000000 | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		_exit(0);
	return pid;
}

static long try_clone3(void)
{
	uint64_t arguments[8] = {[4] = SIGCHLD};
	pid_t pid = syscall(SYS_clone3, arguments, sizeof arguments);
	if (pid == 0)
		_exit(0);
	return pid;
}

static void *do_nothing(void *data)
{
	return data;
}

/* What one lane may, and the others may not. */
static long try_thread(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, do_nothing, NULL);
	if (error == 0)
		pthread_join(thread, NULL);
	return -error;
}

static long try_signal(void)
{
	return kill(1, 0) == 0 || errno == ESRCH ? 0 : -1;
}

static long try_signal_all(void)
{
	return kill(-1, 0);
}

static long try_flags(void)
{
	return fcntl(input_fd(), F_SETFL, O_APPEND);
}

static long try_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK};
	return fcntl(input_fd(), F_SETLK, &lock);
}

static long try_terminal(void)
{
	int bytes;
	return syscall(SYS_ioctl, input_fd(), 0x541b, &bytes) == 0 || errno == ENOTTY ? 0 : -1;
}

static long try_copy(void)
{
	return dup(input_fd());
}

static long try_watch(void)
{
	return syscall(SYS_inotify_init1, 0);
}

static long try_fewer_files(void)
{
	struct rlimit limit = {16, 16};
	return syscall(SYS_setrlimit, RLIMIT_NOFILE, &limit);
}

static long try_personality(void)
{
	return syscall(SYS_personality, 0x0040000);
}

/* Memory that runs. */
static long try_executable_memory(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC);
}

static long try_executable_file(void)
{
	return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, input_fd(), 0);
}

static long try_shared_memory(void)
{
	return syscall(SYS_shmget, 0, 4096, 0600);
}

/* Other processes. */
static long try_ptrace(void)
{
	return syscall(SYS_ptrace, PTRACE_SEIZE, 1, NULL, NULL);
}

static long try_read_process(void)
{
	return syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0);
}

static long try_process(void)
{
	return syscall(SYS_pidfd_open, 1, 0);
}

static long try_descriptor(void)
{
	return syscall(SYS_pidfd_getfd, -1, 0, 0);
}

static long try_limits(void)
{
	struct rlimit limit = {16, 16};
	return syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
}

static long try_traceable(void)
{
	return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static long try_user(void)
{
	return syscall(SYS_setuid, 0);
}

static long try_priority(void)
{
	return syscall(SYS_setpriority, 0, 0, 19);
}

/* Ways into the kernel. */
static long try_io_uring(void)
{
	char parameters[120] = {0};
	return syscall(SYS_io_uring_setup, 1, parameters);
}

static long try_bpf(void)
{
	return syscall(SYS_bpf, 0, NULL, 0);
}

static long try_perf(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0);
}

static long try_userfaultfd(void)
{
	return syscall(SYS_userfaultfd, 0);
}

static long try_key(void)
{
	return syscall(SYS_add_key, "user", "hostile", "x", 1, -1);
}

static long try_unshare(void)
{
	return syscall(SYS_unshare, 0x10000000);
}

static long try_mount(void)
{
	return syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, NULL);
}

static long try_chroot(void)
{
	return syscall(SYS_chroot, "/nonexistent");
}

static long try_device(void)
{
	return syscall(SYS_mknodat, AT_FDCWD, "/nonexistent/device", 0, 0);
}

static long try_attribute(void)
{
	return syscall(SYS_fsetxattr, input_fd(), "user.hostile", "x", 1, 0);
}

static long try_filter(void)
{
	return syscall(SYS_seccomp, 2, 0, NULL);
}

static long try_handle(void)
{
	return syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0);
}

static long try_fanotify(void)
{
	return syscall(SYS_fanotify_init, 0, 0);
}

static const struct {
	const char *verb;
	long (*try)(void);
} tries[] = {
        {"open", try_open},
        {"open-directory", try_open_directory},
        {"open-name", try_open_name},
        {"open2", try_open2},
        {"own-memory", try_own_memory},
        {"environment", try_environment},
        {"write", try_write},
        {"nameless", try_nameless},
        {"access", try_access},
        {"status", try_status},
        {"link-target", try_link_target},
        {"directory", try_directory},
        {"remove", try_remove},
        {"rename", try_rename},
        {"link", try_link},
        {"symlink", try_symlink},
        {"chdir", try_chdir},
        {"chmod", try_chmod},
        {"chmod-name", try_chmod_name},
        {"owner", try_owner},
        {"times", try_times},
        {"cut", try_cut},
        {"exec", try_exec},
        {"exec-file", try_exec_file},
        {"memory-file", try_memory_file},
        {"inet", try_inet},
        {"inet6", try_inet6},
        {"netlink", try_netlink},
        {"bus", try_bus},
        {"pair", try_pair},
        {"pipe", try_pipe},
        {"fork", try_fork},
        {"namespace", try_namespace},
        {"clone3", try_clone3},
        {"thread", try_thread},
        {"signal", try_signal},
        {"signal-all", try_signal_all},
        {"flags", try_flags},
        {"lock", try_lock},
        {"terminal", try_terminal},
        {"copy", try_copy},
        {"watch", try_watch},
        {"fewer-files", try_fewer_files},
        {"personality", try_personality},
        {"executable-memory", try_executable_memory},
        {"executable-file", try_executable_file},
        {"shared-memory", try_shared_memory},
        {"ptrace", try_ptrace},
        {"read-process", try_read_process},
        {"process", try_process},
        {"descriptor", try_descriptor},
        {"limits", try_limits},
        {"traceable", try_traceable},
        {"user", try_user},
        {"priority", try_priority},
        {"io-uring", try_io_uring},
        {"bpf", try_bpf},
        {"perf", try_perf},
        {"userfaultfd", try_userfaultfd},
        {"key", try_key},
        {"unshare", try_unshare},
        {"mount", try_mount},
        {"chroot", try_chroot},
        {"device", try_device},
        {"attribute", try_attribute},
        {"filter", try_filter},
        {"handle", try_handle},
        {"fanotify", try_fanotify},
};

/* ---- ways to die */

static void die_hang(Sink *sink)
{
	for (;;)
		poll(NULL, 0, -1);
}

static void die_spin(Sink *sink)
{
	for (volatile unsigned n = 0;; n++)
		;
}

static void die_allocate(Sink *sink)
{
	for (;;) {
		volatile char *volatile block = malloc(16 << 20);
		*block = 1;
	}
}

static void die_allocate_glib(Sink *sink)
{
	for (;;) {
		volatile char *volatile block = g_malloc(16 << 20);
		*block = 1;
	}
}

static int deeper(volatile char *above)
{
	volatile char room[4096];
	room[0] = above ? *above : 1;
	return room[0] ? deeper(room) + room[0] : 0;
}

static void die_stack(Sink *sink)
{
	deeper(NULL);
}

static void die_exit(Sink *sink)
{
	_exit(0);
}

static void die_segv(Sink *sink)
{
	raise(SIGSEGV);
}

static void die_with_last_words(Sink *sink)
{
	sink_text(sink, TAG_BODY, "said before", -1);
	raise(SIGSEGV);
}

static void die_abort(Sink *sink)
{
	abort();
}

/* ---- lies */

/* The job's socket is the one descriptor that takes a packet. */
static void send_raw(WirePacket *packet)
{
	for (int fd = 3; fd < 64; fd++) {
		size_t used = packet->used;
		if (wire_send(fd, packet, -1))
			return;
		packet->used = used;
	}
}

static void lie(WireKind kind, unsigned a, unsigned b, const void *bytes, size_t length)
{
	WirePacket packet = {0};
	wire_put(&packet, kind, a, b, bytes, length, NULL, 0);
	send_raw(&packet);
}

static void begin_raw(void)
{
	int64_t numbers[2] = {1, 0};
	lie(WIRE_DOC, 0, 0, numbers, sizeof numbers);
	lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0hostile", 4 + 10 + 1 + 7);
}

static void lie_job(Sink *sink)
{
	WireDone done = {.job = 424242};
	begin_raw();
	lie(WIRE_END, STATE_OK, 0, NULL, 0);
	lie(WIRE_DONE, 0, 0, &done, sizeof done);
}

static void lie_utf8(Sink *sink)
{
	begin_raw();
	lie(WIRE_TEXT, TAG_BODY, 0, "\xff\xfe", 2);
}

static void lie_nesting(Sink *sink)
{
	begin_raw();
	lie(WIRE_END, STATE_OK, 0, NULL, 0);
	begin_raw();
}

static void lie_kind(Sink *sink)
{
	lie(200, 0, 0, NULL, 0);
}

static void lie_plugin(Sink *sink)
{
	int64_t numbers[2] = {1, 0};
	lie(WIRE_DOC, 0, 0, numbers, sizeof numbers);
	lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0unheard-of", 4 + 10 + 1 + 10);
}

static void lie_length(Sink *sink)
{
	WirePacket packet = {0};
	uint32_t length = 1 << 30;
	wire_put(&packet, WIRE_ALIVE, 0, 0, &length, sizeof length, NULL, 0);
	memcpy(packet.bytes + 4, &length, sizeof length);
	send_raw(&packet);
}

static void lie_flood(Sink *sink)
{
	static char text[32 << 10];
	memset(text, 'x', sizeof text);
	begin_raw();
	for (;;)
		lie(WIRE_TEXT, TAG_BODY, 0, text, sizeof text);
}

static void lie_flood_of_links(Sink *sink)
{
	static char text[32 << 10];
	memset(text, 'x', sizeof text);
	begin_raw();
	for (;;)
		lie(WIRE_LINK, 0, 1, text, sizeof text);
}

static void lie_flood_of_fields(Sink *sink)
{
	begin_raw();
	for (;;)
		lie(WIRE_FIELD, FIELD_TITLE, 0, "x", 1);
}

static void lie_flood_of_breaks(Sink *sink)
{
	uint32_t number = 1;
	begin_raw();
	for (;;)
		lie(WIRE_BREAK, BREAK_PAGE, 0, &number, sizeof number);
}

static void lie_flood_of_members(Sink *sink)
{
	static const char member[18] = "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0m";
	begin_raw();
	for (;;) {
		lie(WIRE_DOC, 0, 0, member, 17);
		lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0hostile", 4 + 10 + 1 + 7);
		lie(WIRE_END, STATE_OK, 0, NULL, 0);
	}
}

/* Says that it goes on, and does not. */
static void lie_alive(Sink *sink)
{
	uint32_t members = 0;
	for (;;)
		lie(WIRE_ALIVE, 0, 0, &members, sizeof members);
}

/* Each lane sends the file to another. */
static void lie_lanes(Sink *sink)
{
	begin_raw();
#if defined(HOSTILE_OWN_LANE)
	lie(WIRE_OTHER_LANE, LANE_CHEAP, 0, "text/plain", 10);
#else
	lie(WIRE_OTHER_LANE, LANE_OWN, 0, "text/plain", 10);
#endif
	_exit(0);
}

static void lie_descriptor(Sink *sink)
{
	for (int fd = 3; fd < 64; fd++) {
		WirePacket packet = {0};
		uint32_t members = 0;
		wire_put(&packet, WIRE_ALIVE, 0, 0, &members, sizeof members, NULL, 0);
		if (wire_send(fd, &packet, input_fd()))
			return;
	}
}

static void *speak_later(void *data)
{
	uint32_t members = 0;
	for (;;) {
		poll(NULL, 0, 1);
		lie(WIRE_ALIVE, 0, 0, &members, sizeof members);
	}
	return NULL;
}

/* Goes on speaking when the job is done. */
static void lie_late(Sink *sink)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, speak_later, NULL) != 0)
		sink_text(sink, TAG_BODY, "no thread", -1);
}

static void close_socket(Sink *sink)
{
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	die_hang(sink);
}

/* ---- honest */

static void be_fine(Sink *sink)
{
	sink_field(sink, FIELD_TITLE, "Fine", -1);
	sink_block(sink, TAG_BODY);
	sink_text(sink, TAG_BODY, "all is fine", -1);
}

static void put_member(Sink *sink, const char *name, const char *verb)
{
	SinkMember member = {.name = name, .data = (const uint8_t *)verb, .size = strlen(verb)};
	sink_member(sink, &member);
}

static void be_container(Sink *sink)
{
	put_member(sink, "one", "fine");
	put_member(sink, "two", "segv");
	put_member(sink, "three", "fine");
}

/* Each member is for another lane. */
static void be_mixed(Sink *sink)
{
	put_member(sink, "one.txt", "fine");
	put_member(sink, "two.md", "fine");
	put_member(sink, "three.log", "fine");
	sink_text(sink, TAG_BODY, "all", -1);
}

/* Deeper than any limit. */
static void be_nested(Sink *sink)
{
	put_member(sink, "in", "nested");
	sink_text(sink, TAG_BODY, "level", -1);
}

static void be_endless(Sink *sink)
{
	while (sink_text(sink, TAG_BODY, "word word word word word word word word ", -1))
		;
}

static void be_many(Sink *sink)
{
	SinkMember member = {.name = "m", .reason = REASON_ENCRYPTED};
	while (sink_member(sink, &member))
		;
}

static void be_dirty(Sink *sink)
{
	sink_text(sink, TAG_BODY,
	        "a\x01"
	        "b\0c\xff"
	        "d",
	        7);
}

static bool poisoned;

/* Whatever comes next in this process does not come back. */
static void be_poison(Sink *sink)
{
	poisoned = true;
}

static bool forging;

/* Whatever comes next in this process is given another text. */
static void be_forger(Sink *sink)
{
	forging = true;
}

static const struct {
	const char *verb;
	void (*act)(Sink *sink);
} acts[] = {
        {"hang", die_hang},
        {"spin", die_spin},
        {"allocate", die_allocate},
        {"allocate-glib", die_allocate_glib},
        {"stack", die_stack},
        {"exit", die_exit},
        {"segv", die_segv},
        {"last-words", die_with_last_words},
        {"abort", die_abort},
        {"job", lie_job},
        {"utf8", lie_utf8},
        {"nesting", lie_nesting},
        {"kind", lie_kind},
        {"plugin", lie_plugin},
        {"length", lie_length},
        {"flood", lie_flood},
        {"links", lie_flood_of_links},
        {"fields", lie_flood_of_fields},
        {"breaks", lie_flood_of_breaks},
        {"members", lie_flood_of_members},
        {"alive", lie_alive},
        {"lanes", lie_lanes},
        {"descriptor-sent", lie_descriptor},
        {"late", lie_late},
        {"close", close_socket},
        {"poison", be_poison},
        {"forge", be_forger},
        {"fine", be_fine},
        {"container", be_container},
        {"mixed", be_mixed},
        {"nested", be_nested},
        {"endless", be_endless},
        {"many", be_many},
        {"dirty", be_dirty},
};

static bool is_verb(const Input *in, const char *verb)
{
	return strlen(verb) == in->size && memcmp(verb, in->data, in->size) == 0;
}

static ExtractResult extract(const Input *in, Sink *sink)
{
	if (poisoned)
		die_hang(sink);
	if (forging) {
		sink_text(sink, TAG_BODY, "forged", -1);
		return EXTRACT_DONE;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(tries); i++) {
		if (!is_verb(in, tries[i].verb))
			continue;
		bool refused = tries[i].try() < 0;
		sink_text(sink, TAG_BODY, refused ? "refused" : "allowed", -1);
		return EXTRACT_DONE;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(acts); i++) {
		if (!is_verb(in, acts[i].verb))
			continue;
		acts[i].act(sink);
		return EXTRACT_DONE;
	}
	return sink_fail(sink, REASON_DAMAGED, "no such act");
}

#if defined(HOSTILE_THREADS_LANE)
static const char *const types[] = {"text/x-log", NULL};
#elif defined(HOSTILE_OWN_LANE)
static const char *const types[] = {"text/markdown", NULL};
#else
static const char *const types[] = {"text/plain", NULL};
#endif

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
#if defined(HOSTILE_THREADS_LANE)
        .name = "hostile-threads",
        .lane = LANE_THREADS,
#elif defined(HOSTILE_OWN_LANE)
        .name = "hostile-own",
        .lane = LANE_OWN,
#else
        .name = "hostile",
        .lane = LANE_CHEAP,
#endif
        .version = 7,
        .library = "none",
        .mime_types = types,
        .extract = extract,
};
