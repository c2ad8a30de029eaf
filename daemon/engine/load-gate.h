/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-gate.h - what the machine leaves for us: may work go on now?
 *
 * Three gates: the load policy (battery, memory, disks: the backlog waits), the CPU limit (all work
 * that nobody waits for is throttled, and running converters are stopped), and the room on the disk
 * of the index (nothing is converted). */
#pragma once
#include "daemon/engine/load-policy.h"
#include "daemon/ingest/pool.h"

typedef struct LoadGate LoadGate;

/* pool: borrowed; its converters are stopped. index_dir: its disk is watched. */
LoadGate *load_gate_new(Pool *pool, const char *index_dir);
void load_gate_free(LoadGate *gate);

/* ---- CPU limit */

/* percent of one processor; 0: no limit. */
void load_gate_set_cpu_limit(LoadGate *gate, unsigned percent);
bool load_gate_has_cpu_limit(const LoadGate *gate);
/* Accounts for the CPU time used so far. expected_us: sure to be used in one piece, soon. */
void load_gate_account(LoadGate *gate, int64_t expected_us, int64_t now_us);
/* Is the limit used up, as of the last account? */
bool load_gate_is_throttled(const LoadGate *gate);
/* Stops the converters that run, or lets them go on. */
void load_gate_stop_converters(LoadGate *gate, bool stop);
/* When to account again while there is work. */
int64_t load_gate_next_account_us(const LoadGate *gate, int64_t now_us);

/* ---- load policy: asked at most every 10 s */

/* battery_percent: of load_policy_ask(). */
void load_gate_check_load(LoadGate *gate, unsigned battery_percent, int64_t now_us);
LoadVerdict load_gate_verdict(const LoadGate *gate);

/* ---- disk of the index: asked at most once a second */

/* reserve: bytes that are to stay free. */
void load_gate_check_disk(LoadGate *gate, uint64_t reserve, int64_t now_us);
bool load_gate_is_disk_low(const LoadGate *gate);

/* When to check again what is closed now; INT64_MAX: nothing is. backlog: there is work that the
 * load policy may hold up. */
int64_t load_gate_next_check_us(const LoadGate *gate, bool backlog, int64_t now_us);
