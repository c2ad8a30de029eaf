/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-private.h - the parts of the converter client: jobs, slots, programs
 *
 * A job is one conversion, from converter_submit() to done(). A slot is one child process and its
 * socket. A program is a running tarsier-extract, which forks the children. All three belong to the
 * Converter and its main context. */
#pragma once
#include "common/sandbox/converter.h"
#include "common/sandbox/extract-host.h"
#include "common/sandbox/reply.h"
#include <glib-unix.h>

/* There is a program for each lane, with the plugins that the lane includes. Each is started by the
 * first job of the lane, the one of LANE_ALL also to learn which plugins there are. The one of
 * LANE_CHEAP takes a third of the time and memory of that, so it may stay for a while after a file
 * was saved. */
typedef struct {
	Converter *converter;
	WireLane lane;
	Host *host; /* NULL: not running */
	bool starting; /* the handshake is not complete */
	int64_t began_us; /* when it was started */
	const ConverterInfo *info; /* from its last handshake; belongs to the converter */
	GSource *control, *idle_timer; /* events of its children; the idle timeout. While it starts:
	                                  its handshake, and the time limit of that */
	int64_t last_used_us; /* when it was last needed */
	int64_t retry_us; /* it could not be started; until this time LANE_ALL takes its jobs */
	bool crashed; /* a child of it crashed, so it is to be replaced */
	int64_t identity; /* of the installed files when it started (converter-identity.h) */
	int64_t compared_us; /* when the identity was last compared */
	int64_t replace_us; /* not before this time, so that starts cost little */
} Program;

/* If its child is killed from outside, a job is started up to this many times. */
enum { JOB_STARTS_MAX = 3 };

typedef struct {
	int fd; /* -1: the bytes are enclosed in the message */
	GBytes *bytes; /* as in the request; NULL if fd is used, or the file is empty */
	uint64_t size;
	char *name, *scope;
	char *member; /* as in the request */
	JobPurpose purpose;
	char *url, *charset; /* "" if none */
	ExtractLimits limits;
	ConvertCallbacks callbacks;
	void *data;
	uint32_t number;
	WireLane lane;
	uint64_t memory_bytes;
	uint32_t skip_member;
	bool retried; /* without the member that killed it */
	unsigned kills; /* how often something else killed its child or the program */
	bool own_child; /* retry in a child that has not seen another file, and sees no other with
	                   it */
	bool slow, urgent; /* as in the request */
	int64_t queued_us; /* monotonic time of the submit */
	unsigned lane_changes; /* to another lane */
	/* result of the outermost document, once it was delivered */
	DocState state;
	DocReason reason;
	char *detail, *mime;
	const char *extractor;
	uint32_t version, delivered;
} ConversionJob;

typedef struct {
	Program *program;
	uint32_t serial;
	WireLane lane;
	char *scope; /* scope of all its files */
	uint64_t memory_bytes;
	int socket, pidfd; /* -1 if none */
	GSource *readable, *timer; /* timer: the deadline of the job, or the grace period */
	int64_t deadline_us; /* of the job */
	int64_t held_us; /* when it was suspended; 0: it is not */
	int64_t job_started_us;
	int64_t slice_us; /* start of its slice, or of its suspension */
	bool suspended; /* suspended to let another job run (converter-schedule.c) */
	ConversionJob *job; /* NULL: the slot is warm or closing */
	GQueue next; /* of ConversionJob: sent with it, and answered after it */
	Reply *reply;
	unsigned jobs; /* how many were sent to it */
	uint64_t cpu_us;
	DocReason kill_reason; /* why we killed it; REASON_NONE if we did not */
	bool ended, exited; /* its socket reached end of file; the process exited */
	bool closing;
	WireChild exit_info; /* from WIRE_EXITED */
} Slot;

struct Converter {
	ConverterOptions options;
	char **light_plugins; /* copy of options.light_plugins */
	GMainContext *context;
	Program programs[N_LANES];
	GPtrArray *retired; /* Program, replaced by a new one; each ends with its last job */
	GPtrArray *infos; /* ConverterInfo, each that any program ever reported */
	GQueue waiting; /* ConversionJob, urgent ones first */
	GQueue slow; /* ConversionJob; they start only when no other job waits */
	GPtrArray *slots; /* Slot */
	GSource *warm_timer; /* end of warm children */
	GSource *start_timer; /* next attempt to start a program */
	GSource *slice; /* a job's time slice ends while others wait */
	uint32_t serial, jobs;
	unsigned failed_starts;
	int64_t next_start_us;
	bool held; /* running jobs stay suspended */
	bool in_event; /* an event is being handled; the queues are dispatched after it */
};

/* ---- converter.c */

/* Both attach a source to the converter's context. Drop it with converter_remove_source(). */
GSource *converter_add_timeout(Converter *converter, unsigned ms, GSourceFunc function, void *data);
GSource *converter_add_fd(Converter *converter, int fd, GUnixFDSourceFunc function, void *data);
void converter_remove_source(GSource **source);
/* Puts the job into it: urgent ones first, each kind in the order of their numbers. */
void converter_enqueue(Converter *converter, ConversionJob *job);
unsigned converter_n_waiting(const Converter *converter);
/* Starts every job that can start. Does nothing while an event is being handled. */
void converter_dispatch(Converter *converter);

/* ---- converter-job.c */

ConversionJob *job_new(
        const ConvertRequest *request, const ConvertCallbacks *callbacks, void *data);
void job_free(ConversionJob *job);
void job_set_lane(ConversionJob *job, WireLane lane);
/* The time limit of the job in ms, from its limits and size. */
unsigned job_wall_ms(const ConversionJob *job);
void job_take_document(ConversionJob *job, Document *doc);
/* Ends the job: calls done() and frees it. child may be NULL. */
void job_finish(ConversionJob *job, const WireDone *done, bool left_out);
void job_fail(ConversionJob *job, DocReason reason, const char *detail, const WireChild *child);
/* The same for a slow job that gives way to others. */
void job_give_up(ConversionJob *job);
/* Puts the job back into its queue and drops the results of the earlier attempt. */
void job_restart(Converter *converter, ConversionJob *job);

/* ---- converter-slot.c */

/* Asks the program for a new child for jobs like this one. NULL: the program is gone. */
Slot *slot_open(Program *program, const ConversionJob *job);
bool slot_is_warm(const Slot *slot);
/* May the job be sent to the child together with the first one? */
bool slot_may_share(const Slot *slot, const ConversionJob *first, const ConversionJob *job);
/* Sends as many of the jobs to the child as go into one message, at least the first, and takes them
 * from the queue. False: the child is gone, and the caller still owns the jobs. */
bool slot_begin(Slot *slot, GQueue *jobs);
/* Kills the child. The slot stays on the list until the child's death is confirmed. */
void slot_close(Slot *slot);
/* The job it works on, which has no result yet. The caller must then see to the jobs after it. */
ConversionJob *slot_take_job(Slot *slot);
/* Puts the jobs after that one back into their queue. */
void slot_return_next(Slot *slot, bool own_child);
void slot_free(Slot *slot);
/* Ends its slow job, which gives way to others, and closes the slot. */
void slot_give_up(Slot *slot);
/* Suspends the child if it runs a job, or resumes it. */
void slot_hold(Slot *slot, bool hold);
void slot_add_time(Slot *slot, int64_t us); /* to the deadline of its job, if that runs */
void slot_on_forked(Slot *slot, int pidfd);
/* Removes the slot from the list. */
void slot_on_exited(Slot *slot, const WireChild *event);

/* ---- converter-schedule.c */

/* The number of children that run a job. Suspended children do not count. */
unsigned schedule_running(const Converter *converter);
/* The first waiting job that may preempt a running one, or NULL. */
ConversionJob *schedule_preempting(const Converter *converter);
/* Suspends the longest-running child to make room for the job. False if its time slice is not
 * over. */
bool schedule_suspend(Converter *converter, const ConversionJob *job);
/* Would schedule_suspend() suspend one? */
bool schedule_may_suspend(const Converter *converter, const ConversionJob *job);
/* Uses a free place to resume the child that was suspended first. False if there is none or if the
 * waiting job goes first. job may be NULL. */
bool schedule_resume(const Converter *converter, const ConversionJob *job);
/* Sets a timer that dispatches again when the next time slice ends. */
void schedule_wait_for_slice(Converter *converter);

/* ---- converter-program.c */

/* The program to start first. */
Program *program_first(Converter *converter);
/* Starts the program and waits for its handshake. */
bool program_start(Program *program, GError **error);
/* Starts the program unless it runs already and need not be replaced, without waiting for it.
 * False: it does not run yet; when it does, or after the backoff of a failed start, the converter
 * dispatches its jobs. */
bool program_ensure(Program *program);
/* Must the job wait until its program has started? */
bool program_is_starting(const Converter *converter, const ConversionJob *job);
/* The program that must run the job. It may not be running yet. If its lane has no program, the
 * job changes to LANE_ALL. */
Program *program_for(Converter *converter, ConversionJob *job);
/* Stops a program that died or does not answer, and restarts its jobs. */
void program_abandon(Program *program);
void program_stop(Program *program);
/* A child ended by itself with this status of waitpid(). All children of a program have the layout
 * of its address space, so after a crash a new program takes its place: an
 * attacker who tries many files against one layout finds another one. */
void program_note_exit(Program *program, int status);
/* Ends the retired programs that have no job left. */
void program_end_retired(Converter *converter);
