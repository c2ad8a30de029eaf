/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-private.h - the parts of the converter: jobs, slots, programs
 *
 * A job is one conversion, from submit to done(). A slot is one child and its socket. A program is
 * a running tarsier-extract that forks them. All three belong to the converter and its main
 * context. */
#pragma once
#include "common/sandbox/converter.h"
#include "common/sandbox/extract-host.h"
#include "common/sandbox/reply.h"
#include <glib-unix.h>

/* The light program has only the plugins of the cheap lane: it starts in a third of the time and is
 * a third as large, so it may stay for a while after a file was saved. */
typedef enum { PROGRAM_LIGHT, PROGRAM_FULL, N_PROGRAMS } ProgramKind;

typedef struct {
	Converter *converter;
	ProgramKind kind;
	Host *host; /* NULL: not running */
	const ConverterInfo *info; /* as it greeted last; belongs to the converter */
	GSource *control, *rest; /* news of its children; the end of idleness */
	int64_t used_us; /* when it was last needed */
} Program;

/* A job is begun so often at most, if others kill what does it. */
enum { JOB_STARTS_MAX = 3 };

typedef struct {
	int fd;
	uint64_t size;
	char *name, *scope;
	ExtractLimits limits;
	ConvertCallbacks callbacks;
	void *data;
	uint32_t number;
	WireLane lane;
	uint64_t memory_bytes;
	uint32_t skip_member;
	bool retried; /* without a member */
	unsigned killed; /* so often others killed its child, or the program */
	bool own_child; /* tried again in a child that has not seen another file */
	bool slow, urgent; /* as the request had it */
	int64_t queued_us; /* when it was submitted */
	unsigned moves; /* to another lane */
	int64_t started_us;
	/* of the outermost document, once it was delivered */
	DocState state;
	DocReason reason;
	char *detail, *mime;
	const char *extractor;
	uint32_t version, delivered;
} Job;

typedef struct {
	Program *program;
	uint32_t serial;
	WireLane lane;
	char *scope; /* of all its files */
	uint64_t memory_bytes;
	int socket, pidfd; /* -1 none */
	GSource *readable, *timer; /* deadline of the job, or grace */
	int64_t deadline_us, held_us; /* of the job; since when it is stopped, 0: it is not */
	int64_t job_started_us, slice_us; /* of the job; since when it is at work, or aside */
	bool suspended; /* stopped for others (converter-schedule.c) */
	Job *job; /* NULL: warm or closing */
	Reply *reply;
	unsigned jobs;
	uint64_t cpu_us;
	DocReason fate; /* why we killed it */
	bool ended, exited; /* its socket; itself */
	bool closing;
	WireChild last; /* of its exit */
} Slot;

struct Converter {
	ConverterOptions options;
	char **only; /* options.only, copied */
	GMainContext *context;
	Program programs[N_PROGRAMS];
	bool no_light; /* it cannot be had */
	GPtrArray *infos; /* ConverterInfo, all there ever were */
	GQueue waiting, slow; /* Job, urgent ones first; slow ones begin when no other waits */
	GPtrArray *slots; /* Slot */
	GSource *cold, *again; /* warm children end; the next try to start a program */
	GSource *slice; /* of one at work is over, and others wait */
	uint32_t serial, jobs;
	unsigned starts_in_vain;
	int64_t next_start_us;
	bool held; /* what is at work stays stopped */
	bool inside; /* an event is being handled: what waits is looked at when it is over */
};

/* ---- converter.c */

/* Sources in the converter's context; yours, to be dropped. */
GSource *converter_after(Converter *converter, unsigned ms, GSourceFunc function, void *data);
GSource *converter_watch(Converter *converter, int fd, GUnixFDSourceFunc function, void *data);
void converter_drop(GSource **source);
/* Where the job waits. */
GQueue *converter_queue(Converter *converter, const Job *job);
unsigned converter_n_waiting(const Converter *converter);
/* Starts what can be started, unless an event is being handled. */
void converter_dispatch(Converter *converter);

/* ---- converter-job.c */

Job *job_new(const ConvertRequest *request, const ConvertCallbacks *callbacks, void *data);
void job_free(Job *job);
/* Time that it may take, by its limits and size. */
unsigned job_wall_ms(const Job *job);
void job_take_document(Job *job, Document *doc);
/* The end: done() is called, the job is freed. child may be NULL. */
void job_finish(Job *job, const WireDone *done, bool left_out);
void job_fail(Job *job, DocReason reason, const char *detail, const WireChild *child);
/* The same for a slow one that gave way. */
void job_give_up(Job *job);
/* Back to the head of the queue: nothing of the earlier try counts. */
void job_restart(Converter *converter, Job *job);

/* ---- converter-slot.c */

/* A new child of the program for jobs like this; NULL: the program is gone. */
Slot *slot_open(Program *program, const Job *job);
bool slot_is_warm(const Slot *slot);
/* False: the child is gone; the job is still yours. */
bool slot_begin(Slot *slot, Job *job);
/* No more jobs for this child; it stays on the list until it is known to be dead. */
void slot_close(Slot *slot);
Job *slot_take_job(Slot *slot);
void slot_free(Slot *slot);
/* Its slow job gives way. */
void slot_give_up(Slot *slot);
/* Stops it, if it is at work, or lets it go on. */
void slot_hold(Slot *slot, bool hold);
void slot_on_forked(Slot *slot, int pidfd);
/* Takes it off the list. */
void slot_on_exited(Slot *slot, const WireChild *news);

/* ---- converter-schedule.c */

/* Children at work; those that are aside do not count. */
unsigned schedule_running(const Converter *converter);
/* The first of those that wait that may take another's place, or NULL. */
Job *schedule_preempting(const Converter *converter);
/* Makes the place of who is longest at work free for the job, if its turn is over. */
bool schedule_suspend(Converter *converter, const Job *job);
/* There is a free place: who was set aside first goes on, unless the job is to have it. job: that
 * waits, or NULL. */
bool schedule_resume(const Converter *converter, const Job *job);
/* What waits is looked at again when the next turn is over. */
void schedule_wait_for_slice(Converter *converter);

/* ---- converter-program.c */

bool program_start(Program *program, GError **error);
/* Runs it, unless it runs or ran in vain too lately. False: not now. */
bool program_ensure(Program *program);
/* The one that is to take the job; it may not be running yet. */
Program *program_for(Converter *converter, const Job *job);
/* It died: its jobs are tried once more. */
void program_lose(Program *program);
void program_stop(Program *program);
