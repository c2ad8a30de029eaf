/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-gate.h - decides what work the machine leaves room for
 *
 * Four things close it. The load policy (battery, memory, disks) holds back the backlog. The CPU
 * limit throttles all work that no client waits for, and suspends running children. A disk of the
 * index with less than the reserve stops all conversions. After a write failed for lack of space,
 * nothing is fetched until there is room again. */
#pragma once
#include "daemon/engine/load-policy.h"
#include "daemon/ingest/pool.h"

typedef struct LoadGate LoadGate;

/* pool: borrowed; its children are suspended. index_dir: its disk is checked. */
LoadGate *load_gate_new(Pool *pool, const char *index_dir);
void load_gate_free(LoadGate *gate);

/* ---- CPU limit */

/* percent: of one processor; 0: no limit. */
void load_gate_set_cpu_limit(LoadGate *gate, unsigned percent);
bool load_gate_has_cpu_limit(const LoadGate *gate);
/* Accounts for the CPU time used so far. expected_us: CPU time that will soon be used in one
 * piece. */
void load_gate_account(LoadGate *gate, int64_t expected_us, int64_t now_us);
/* Was the limit used up at the last account? */
bool load_gate_is_throttled(const LoadGate *gate);
/* Suspends the running children, or resumes them. */
void load_gate_suspend_conversions(LoadGate *gate, bool suspend);
/* Returns when to account again while there is work. */
int64_t load_gate_next_account_us(const LoadGate *gate, int64_t now_us);

/* ---- load policy: checked at most every 10 s */

/* battery_percent: as for load_policy_ask(). */
void load_gate_check_load(LoadGate *gate, unsigned battery_percent, int64_t now_us);
LoadVerdict load_gate_verdict(const LoadGate *gate);

/* ---- disk of the index: checked at most once a second */

/* reserve: bytes that must stay free. */
void load_gate_check_disk(LoadGate *gate, uint64_t reserve, int64_t now_us);
bool load_gate_is_disk_low(const LoadGate *gate);

/* ---- room on the disk of the index, after a write failed: checked every 2 s */

/* A write failed for lack of space. Room is 1 MiB first; each further failure within ten minutes
 * doubles it up to 64 MiB, since less was not enough. Each minute without a failure halves it, so
 * that a disk or a quota that never has so much free is tried again, some minutes apart. */
void load_gate_note_full(LoadGate *gate, int64_t now_us);
/* Checks when it is time to. Has the disk just got room again? */
bool load_gate_regains_room(LoadGate *gate, int64_t now_us);
bool load_gate_lacks_room(const LoadGate *gate);
/* Returns when to check next; INT64_MAX: there is room. */
int64_t load_gate_next_room_us(const LoadGate *gate);

/* Returns when to check again; INT64_MAX: nothing is closed. backlog: there is work that the load
 * policy may hold back. */
int64_t load_gate_next_check_us(const LoadGate *gate, bool backlog, int64_t now_us);
