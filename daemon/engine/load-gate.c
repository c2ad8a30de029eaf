/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/load-gate.h"
#include "common/base/disk-room.h"
#include "daemon/engine/cpu-limit.h"
#include <sys/statvfs.h>

enum { DISK_CHECK_US = 1000 * 1000, LOAD_CHECK_US = 10 * 1000 * 1000 };
enum { ROOM_CHECK_US = 2 * 1000 * 1000, ROOM_LEAST_BYTES = 1 << 20, ROOM_MOST_BYTES = 64 << 20 };
enum { ROOM_HALF_US = 60 * 1000 * 1000, ROOM_FLOOR_BYTES = 64 << 10 };
#define ROOM_MEMORY_US (600 * G_GINT64_CONSTANT(1000000))

struct LoadGate {
	Pool *pool;
	char *index_dir;
	CpuLimit cpu_limit;
	bool throttled;
	bool suspended; /* the running conversions */
	LoadPolicy load_policy;
	int64_t load_check_us; /* earliest time of the next check */
	bool disk_low;
	int64_t disk_check_us;
	bool lacks_room;
	uint64_t room_bytes; /* that must be free just after the last failure; 0: there was none */
	int64_t full_us, room_check_us; /* the last failure, and the next check */
};

LoadGate *load_gate_new(Pool *pool, const char *index_dir)
{
	LoadGate *gate = g_new0(LoadGate, 1);
	gate->pool = pool;
	gate->index_dir = g_strdup(index_dir);
	return gate;
}

void load_gate_free(LoadGate *gate)
{
	g_free(gate->index_dir);
	g_free(gate);
}

/* ---- CPU limit */

void load_gate_set_cpu_limit(LoadGate *gate, unsigned percent)
{
	cpu_limit_set(&gate->cpu_limit, percent);
}

bool load_gate_has_cpu_limit(const LoadGate *gate)
{
	return gate->cpu_limit.percent > 0;
}

void load_gate_account(LoadGate *gate, int64_t expected_us, int64_t now_us)
{
	cpu_limit_expect(&gate->cpu_limit, expected_us);
	gate->throttled = !cpu_limit_may_work(&gate->cpu_limit, now_us);
}

bool load_gate_is_throttled(const LoadGate *gate)
{
	return gate->throttled;
}

void load_gate_suspend_conversions(LoadGate *gate, bool suspend)
{
	if (suspend != gate->suspended)
		pool_hold(gate->pool, gate->suspended = suspend);
}

int64_t load_gate_next_account_us(const LoadGate *gate, int64_t now_us)
{
	return cpu_limit_next_us(&gate->cpu_limit, now_us);
}

/* ---- load policy */

void load_gate_check_load(LoadGate *gate, unsigned battery_percent, int64_t now_us)
{
	if (now_us < gate->load_check_us)
		return;
	gate->load_check_us = now_us + LOAD_CHECK_US;
	load_policy_consider(&gate->load_policy, "", battery_percent, now_us);
}

LoadVerdict load_gate_verdict(const LoadGate *gate)
{
	return gate->load_policy.verdict;
}

/* ---- disk of the index */

void load_gate_check_disk(LoadGate *gate, uint64_t reserve, int64_t now_us)
{
	struct statvfs fs;
	if (now_us < gate->disk_check_us)
		return;
	gate->disk_check_us = now_us + DISK_CHECK_US;
	bool low =
	        statvfs(gate->index_dir, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < reserve;
	if (low && !gate->disk_low)
		g_warning("the disk of the index is nearly full: nothing is converted");
	gate->disk_low = low;
}

bool load_gate_is_disk_low(const LoadGate *gate)
{
	return gate->disk_low;
}

void load_gate_note_full(LoadGate *gate, int64_t now_us)
{
	bool again = gate->room_bytes > 0 && now_us - gate->full_us < ROOM_MEMORY_US;
	if (!gate->lacks_room)
		gate->room_bytes =
		        again ? MIN(gate->room_bytes * 2, ROOM_MOST_BYTES) : ROOM_LEAST_BYTES;
	gate->lacks_room = true;
	gate->full_us = now_us;
	gate->room_check_us = now_us + ROOM_CHECK_US;
}

/* How much must be free is a guess. Where it cannot be had, as with a small quota, less is tried in
 * the end. */
static uint64_t load_gate_room_bytes(const LoadGate *gate, int64_t now_us)
{
	int64_t halves = CLAMP((now_us - gate->full_us) / ROOM_HALF_US, 0, 63);
	return MAX(gate->room_bytes >> halves, ROOM_FLOOR_BYTES);
}

bool load_gate_regains_room(LoadGate *gate, int64_t now_us)
{
	if (!gate->lacks_room || now_us < gate->room_check_us)
		return false;
	gate->room_check_us = now_us + ROOM_CHECK_US;
	gate->lacks_room = !disk_has_room(gate->index_dir, load_gate_room_bytes(gate, now_us));
	return !gate->lacks_room;
}

bool load_gate_lacks_room(const LoadGate *gate)
{
	return gate->lacks_room;
}

int64_t load_gate_next_room_us(const LoadGate *gate)
{
	return gate->lacks_room ? gate->room_check_us : INT64_MAX;
}

int64_t load_gate_next_check_us(const LoadGate *gate, bool backlog, int64_t now_us)
{
	int64_t next_us = INT64_MAX;
	if (backlog && gate->load_policy.verdict != LOAD_LOW)
		next_us = gate->load_check_us;
	if (gate->disk_low)
		next_us = MIN(next_us, MAX(gate->disk_check_us, now_us));
	return next_us;
}
