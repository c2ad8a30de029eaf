/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-lessons.c - URL rules of sources: learned from their pages, applied, tested, withdrawn
 *
 * When a source has enough new pages, the prints of all its pages are read in slices, and a thread
 * of its own looks for rules (common/dust). Pairs are judged by what the index knows of their
 * texts, so nothing is asked. Then a walk over the URLs of the source, in slices too, makes aliases
 * of those that a rule makes another one. A kill at any point only costs the part of the work that
 * was not committed: a lesson begins again, and a walk that has to be made is in the row. */
#include <config.h>
#include "common/dust/dust.h"
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include "index/write/writer-web-rules.h"
#include <string.h>

enum {
	LESSON_LEAST = 24, /* pages of a source */
	LESSON_PAGES = 12, /* new ones, and a quarter of those that were known */
	LESSON_SLICE = 128,
	QUIET_PART = 50, /* when no page has come for a while, one in so many is enough */
	QUIET_US = 20 * G_USEC_PER_SEC,
	CHECK_US = 2 * G_USEC_PER_SEC,
	WAIT_LEAST_S = 5, /* before a walk that waits for pages, doubling */
	WAIT_MOST_S = 3600,
	WALK_REST = 50, /* times its duration passes before a walk for pages that are gone */
	WALK_REST_LEAST = 4, /* the same, however long it was */
	WALK_REST_MOST_US = 10 * G_USEC_PER_SEC,
	TEST_AGAIN_S = 30 * 24 * 3600,
	TEST_PAUSE_S = 24 * 3600,
	TEST_MOST_S = 600,
	SAME_SKETCH_BITS = 4, /* a Jaccard coefficient of .94 and more */
	SAME_BITS = 6,
	SAME_TEXT_PAIRS = 4, /* of one sample, with the same text: more tell nothing new */
	DIFFERENT_SHARE = 50 /* one known pair of so many may differ: a page may have changed
	                        between two visits */
};

/* For what no page tells: rules to be tested, pages that are gone. */
static const int64_t LOOK_US = 3600LL * G_USEC_PER_SEC;

typedef enum { RULES_IDLE, RULES_READ, RULES_THINK, RULES_WALK } RulesStage;

/* The data that the thread works on; it owns all of it until it is done, and longer if it is
 * dropped. */
typedef struct {
	GMutex lock; /* of done, dropped, and the call of wake */
	bool done;
	gint dropped; /* nobody waits for it: the thread ends soon, and frees it. Atomic */
	DustList *list;
	GArray *prints; /* of NearPrint; DustPage.mark is a place in it plus 1 */
	GPtrArray *found; /* of DustRule */
	GHashTable *texts; /* of a sample: checksum -> how many pairs */
	void (*wake)(void *data);
	void *wake_data;
} Lesson;

struct WebRules {
	RulesStage stage;
	int64_t source; /* being worked on */
	int64_t pages; /* that it had when the lesson began */
	WebPrint at; /* the last one that was read */
	Lesson *lesson;
	GThread *thread;
	FrontierWalk walk;
	GHashTable *differ; /* int64_t rule -> pairs that differed in the walk */
	int64_t walk_began_us, walk_next_us;
	int64_t noted_us; /* when the last page came */
	int64_t next_us; /* when the sources are looked at, if no page comes before */
	bool waits; /* the walk found an alias whose other URL was not read yet */
};

static void rules_wake_at(WebRules *r, int64_t at_us)
{
	r->next_us = MIN(r->next_us, at_us);
}

/* ---- judging pairs */

static DustVerdict prints_alike(
        uint64_t a, const NearPrint *near_a, uint64_t b, const NearPrint *near_b)
{
	if (a != 0 && a == b)
		return DUST_EQUAL;
	if (near_a && near_b)
		return sketch_distance(&near_a->sketch, &near_b->sketch) <= SAME_SKETCH_BITS &&
		                       near_bits(near_a, near_b) <= SAME_BITS
		               ? DUST_EQUAL
		               : DUST_DIFFERENT;
	return a != 0 && b != 0 ? DUST_DIFFERENT : DUST_UNKNOWN;
}

static const NearPrint *lesson_print(const Lesson *lesson, const DustPage *page)
{
	return page->mark > 0 ? &g_array_index(lesson->prints, NearPrint, page->mark - 1) : NULL;
}

static DustVerdict lesson_alike(const DustPage *a, const DustPage *b, void *data)
{
	const Lesson *lesson = data;
	return prints_alike(a->sum, lesson_print(lesson, a), b->sum, lesson_print(lesson, b));
}

/* Where all pages say the same, equal pairs are not evidence. */
static DustVerdict lesson_compare(const DustList *list, const DustSample *sample, void *data)
{
	Lesson *lesson = data;
	if (sample->other == UINT32_MAX)
		return DUST_UNKNOWN;
	const DustPage a = dust_list_page(list, sample->page);
	const DustPage b = dust_list_page(list, sample->other);
	DustVerdict verdict = lesson_alike(&a, &b, lesson);
	if (a.sum == 0)
		return verdict;
	gpointer text = GSIZE_TO_POINTER((gsize)a.sum);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(lesson->texts, text));
	g_hash_table_insert(lesson->texts, text, GUINT_TO_POINTER(n + 1));
	return verdict == DUST_EQUAL && n >= SAME_TEXT_PAIRS ? DUST_UNKNOWN : verdict;
}

/* ---- a lesson */

static Lesson *lesson_new(const WebCrawl *c)
{
	Lesson *lesson = g_new0(Lesson, 1);
	g_mutex_init(&lesson->lock);
	lesson->list = dust_list_new();
	lesson->prints = g_array_new(FALSE, FALSE, sizeof(NearPrint));
	lesson->texts = g_hash_table_new(NULL, NULL);
	lesson->wake = c->wake;
	lesson->wake_data = c->wake_data;
	return lesson;
}

static void lesson_free(Lesson *lesson)
{
	if (!lesson)
		return;
	dust_list_free(lesson->list);
	g_array_unref(lesson->prints);
	g_clear_pointer(&lesson->found, g_ptr_array_unref);
	g_hash_table_unref(lesson->texts);
	g_mutex_clear(&lesson->lock);
	g_free(lesson);
}

static void lesson_add(const WebPrint *print, void *data)
{
	Lesson *lesson = data;
	DustPage page = {.url = print->url, .size = print->size, .sum = print->sum};
	if (print->has_near) {
		g_array_append_val(lesson->prints, print->near);
		page.mark = lesson->prints->len;
	}
	(void)dust_list_add(lesson->list, &page);
}

static gpointer lesson_run(gpointer data)
{
	Lesson *lesson = data;
	const DustOptions options = {
	        .alike = lesson_alike, .alike_data = lesson, .stop = &lesson->dropped};
	lesson->found = dust_learn(lesson->list, &options, true, lesson_compare, lesson);
	g_mutex_lock(&lesson->lock);
	bool dropped = g_atomic_int_get(&lesson->dropped);
	lesson->done = true;
	if (!dropped)
		lesson->wake(lesson->wake_data);
	g_mutex_unlock(&lesson->lock);
	if (dropped)
		lesson_free(lesson);
	return NULL;
}

static bool lesson_is_done(Lesson *lesson)
{
	g_mutex_lock(&lesson->lock);
	bool done = lesson->done;
	g_mutex_unlock(&lesson->lock);
	return done;
}

/* Leaves a lesson to its thread, which nobody waits for: it ends soon. False: the thread is done.
 */
static bool lesson_leave(Lesson *lesson)
{
	g_mutex_lock(&lesson->lock);
	bool done = lesson->done;
	g_atomic_int_set(&lesson->dropped, !done);
	g_mutex_unlock(&lesson->lock);
	return !done;
}

static void rules_drop_lesson(WebRules *r)
{
	GThread *thread = g_steal_pointer(&r->thread);
	Lesson *lesson = g_steal_pointer(&r->lesson);
	if (thread && lesson_leave(lesson)) {
		g_thread_unref(thread);
		return;
	}
	if (thread)
		g_thread_join(thread);
	lesson_free(lesson);
}

static bool rules_read(WebCrawl *c, WebRules *r, GError **error)
{
	unsigned n;
	if (!writer_web_prints(
	            c->w, r->source, &r->at, LESSON_SLICE, &n, lesson_add, r->lesson, error))
		return false;
	if (n == LESSON_SLICE)
		return true;
	r->stage = RULES_THINK;
	r->thread = g_thread_new("rules", lesson_run, r->lesson);
	return true;
}

/* ---- its result */

static bool rule_is(const WebRuleRow *row, const DustRule *rule)
{
	return row->kind == rule->kind && row->at_start == rule->at_start &&
	       row->at_end == rule->at_end && strcmp(row->from, rule->from) == 0 &&
	       g_strcmp0(row->to, rule->to) == 0;
}

static bool rule_is_valid(const DustRule *rule)
{
	return dust_rule_holds(rule) && rule->refuted <= rule->support / DIFFERENT_SHARE;
}

static GArray *rules_of_source(WebCrawl *c, int64_t source, GError **error)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(WebRuleRow));
	g_array_set_clear_func(rows, (GDestroyNotify)web_rule_row_clear);
	return writer_web_rules(c->w, source, rows, error) ? g_steal_pointer(&rows) : NULL;
}

/* Only candidates change: what is valid stays so until pages refute it, and what was refuted is not
 * learned again. */
static bool rules_put(WebCrawl *c, const WebRules *r, const GArray *known, const DustRule *rule,
        bool *new_r, GError **error)
{
	WebRuleRow row = {.source = r->source,
	        .kind = rule->kind,
	        .at_start = rule->at_start,
	        .at_end = rule->at_end,
	        .from = rule->from,
	        .to = rule->to,
	        .support = rule->support,
	        .tried = rule->sampled,
	        .equal = rule->equal,
	        .state = rule_is_valid(rule) ? WEB_RULE_VALID : WEB_RULE_CANDIDATE,
	        .tested_s = g_get_real_time() / G_USEC_PER_SEC};
	for (guint i = 0; i < known->len; i++) {
		const WebRuleRow *one = &g_array_index(known, WebRuleRow, i);
		if (!rule_is(one, rule))
			continue;
		if (one->state != WEB_RULE_CANDIDATE)
			return true;
		row.id = one->id;
	}
	if (row.id == 0 && known->len >= WEB_RULES_MOST)
		return true;
	*new_r |= row.state == WEB_RULE_VALID;
	g_debug("web: source %" G_GINT64_FORMAT ": rule \"%s\" -> \"%s\", %u of %u pairs equal",
	        r->source, row.from, row.to ? row.to : "", rule->equal, rule->sampled);
	return writer_web_put_rule(c->w, &row, error);
}

static bool rules_keep_lesson(WebCrawl *c, const WebSource *s, GError **error)
{
	return writer_web_set_lesson(c->w, s->id, &s->lesson, error);
}

static bool rules_take(WebCrawl *c, WebRules *r, WebSource *s, GError **error)
{
	g_autoptr(GArray) known = rules_of_source(c, r->source, error);
	bool fresh = false;
	if (!known)
		return false;
	for (guint i = 0; i < r->lesson->found->len; i++)
		if (!rules_put(c, r, known, r->lesson->found->pdata[i], &fresh, error))
			return false;
	s->lesson.pages = r->pages;
	s->lesson.walk |= fresh;
	if (fresh)
		frontier_read_rules_again(c->frontier, s->origin, s->prefix);
	return rules_keep_lesson(c, s, error);
}

/* Rules that were learned before a start, or under other settings. URLs may have changed hands
 * since. */
static bool rules_read_lesson(WebCrawl *c, WebSource *s, GError **error)
{
	if (s->lesson_read)
		return true;
	g_autoptr(GArray) known = rules_of_source(c, s->id, error);
	if (!known || !writer_web_lesson(c->w, s->id, &s->lesson, error))
		return false;
	s->lesson.walk |= known->len > 0;
	frontier_end_test(c->frontier, s->origin, s->prefix);
	s->lesson_read = true;
	return true;
}

/* ---- withdrawal */

static bool rules_refute(WebCrawl *c, WebSource *s, int64_t rule, GError **error)
{
	g_autoptr(GArray) known =
	        rules_read_lesson(c, s, error) ? rules_of_source(c, s->id, error) : NULL;
	for (guint i = 0; known && i < known->len; i++) {
		WebRuleRow *row = &g_array_index(known, WebRuleRow, i);
		if (row->id != rule || row->state != WEB_RULE_VALID)
			continue;
		g_message("%s: the URL rule \"%s\" is withdrawn: pages have shown that it is wrong",
		        s->url, row->from);
		row->state = WEB_RULE_REFUTED;
		row->tested_s = g_get_real_time() / G_USEC_PER_SEC;
		s->lesson.walk = true;
		frontier_read_rules_again(c->frontier, s->origin, s->prefix);
		return writer_web_put_rule(c->w, row, error) && rules_keep_lesson(c, s, error);
	}
	return known != NULL;
}

/* again: the page that was tested becomes an alias again. */
static bool rules_pass(WebCrawl *c, WebSource *s, int64_t rule, bool again, GError **error)
{
	g_autoptr(GArray) known = rules_of_source(c, s->id, error);
	for (guint i = 0; known && i < known->len; i++) {
		WebRuleRow *row = &g_array_index(known, WebRuleRow, i);
		if (row->id != rule)
			continue;
		row->tested_s = g_get_real_time() / G_USEC_PER_SEC;
		s->lesson.walk |= again;
		return writer_web_put_rule(c->w, row, error) && rules_keep_lesson(c, s, error);
	}
	return known != NULL;
}

/* ---- the walk */

/* 1: both are known; 0: not; -1: error. */
static int rules_compare(WebCrawl *c, const WebSource *s, const char *url, const char *other,
        DustVerdict *verdict_r, GError **error)
{
	WebPrint a, b;
	int found = writer_web_print(c->w, s->id, url, &a, error);
	if (found > 0)
		found = writer_web_print(c->w, s->id, other, &b, error);
	if (found > 0)
		*verdict_r = prints_alike(
		        a.sum, a.has_near ? &a.near : NULL, b.sum, b.has_near ? &b.near : NULL);
	return found;
}

static bool rules_merge(const char *url, const char *other, int64_t rule, bool *merged_r,
        void *data, GError **error)
{
	WebCrawl *c = data;
	WebRules *r = c->rules;
	WebSource *s = web_source_by_id(c, r->source);
	DustVerdict verdict = DUST_UNKNOWN;
	*merged_r = false;
	if (!s)
		return true;
	int known = rules_compare(c, s, url, other, &verdict, error);
	if (known < 0)
		return false;
	r->waits |= known == 0;
	if (verdict == DUST_DIFFERENT) {
		int64_t *n = g_hash_table_lookup(r->differ, &rule);
		if (!n)
			g_hash_table_insert(
			        r->differ, g_memdup2(&rule, sizeof rule), n = g_new0(int64_t, 1));
		++*n;
	}
	*merged_r = verdict == DUST_EQUAL;
	return !*merged_r || web_page_remove(c, s, url, error);
}

/* Refutes the rules that more pages contradict than change by chance. */
static bool rules_judge_walk(WebCrawl *c, WebRules *r, WebSource *s, GError **error)
{
	g_autoptr(GArray) known = rules_of_source(c, s->id, error);
	for (guint i = 0; known && i < known->len; i++) {
		const WebRuleRow *row = &g_array_index(known, WebRuleRow, i);
		const int64_t *n = g_hash_table_lookup(r->differ, &row->id);
		if (n && *n > row->support / DIFFERENT_SHARE && !rules_refute(c, s, row->id, error))
			return false;
	}
	return known != NULL;
}

/* The rule that was tested longest ago, if that is long enough. */
static bool rules_choose_test(WebCrawl *c, const WebSource *s, int64_t *rule_r, GError **error)
{
	g_autoptr(GArray) known = rules_of_source(c, s->id, error);
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC, least = now_s - TEST_AGAIN_S;
	*rule_r = 0;
	for (guint i = 0; known && i < known->len; i++) {
		const WebRuleRow *row = &g_array_index(known, WebRuleRow, i);
		if (row->state != WEB_RULE_VALID || row->tested_s >= least)
			continue;
		least = row->tested_s;
		*rule_r = row->id;
	}
	return known != NULL;
}

static void rules_end_walk(WebRules *r)
{
	g_hash_table_remove_all(r->differ);
	g_free(r->walk.tested);
	g_free(r->walk.tested_other);
	r->walk = (FrontierWalk){0};
}

static void rules_begin_walk(WebCrawl *c, WebRules *r, WebSource *s, int64_t test)
{
	rules_end_walk(r);
	r->source = s->id;
	r->stage = RULES_WALK;
	r->waits = false;
	r->walk_began_us = g_get_monotonic_time();
	r->walk = (FrontierWalk){.at = INT64_MIN, .merge = rules_merge, .data = c, .test = test};
}

static bool rules_walk(WebCrawl *c, WebRules *r, WebSource *s, GError **error)
{
	WebTime now = web_now();
	if (!frontier_walk_rules(c->frontier, &now, s->origin, s->prefix, &r->walk, error))
		return false;
	if (!r->walk.done)
		return true;
	if (r->walk.test != 0)
		s->tested_s = now.wall_ms / 1000;
	if (r->walk.test != 0 && !r->walk.tested && !rules_pass(c, s, r->walk.test, false, error))
		return false; /* no alias shows whether it still holds */
	if (r->walk.tested) {
		web_source_end_test(s);
		rules_wake_at(r, 0);
		s->tested = g_steal_pointer(&r->walk.tested);
		s->tested_other = g_steal_pointer(&r->walk.tested_other);
		s->tested_rule = r->walk.test;
	}
	int64_t end_us = g_get_monotonic_time();
	s->lesson.walk = r->waits;
	s->walk_wait_s = r->waits ? CLAMP(2 * s->walk_wait_s, WAIT_LEAST_S, WAIT_MOST_S) : 0;
	s->walk_at_us = end_us + s->walk_wait_s * G_USEC_PER_SEC;
	r->stage = RULES_IDLE;
	int64_t walk_us = end_us - r->walk_began_us;
	int64_t rest_us = MIN(WALK_REST * walk_us, WALK_REST_MOST_US);
	r->walk_next_us = end_us + MAX(rest_us, WALK_REST_LEAST * walk_us);
	bool ok = rules_judge_walk(c, r, s, error) && rules_keep_lesson(c, s, error);
	rules_end_walk(r);
	return ok;
}

/* ---- tests of valid rules */

/* Was the URL answered since the test began? */
static bool rules_is_asked_since(
        WebCrawl *c, const char *url, int64_t since_s, bool *asked_r, GError **error)
{
	const char *path;
	g_autofree char *origin = url_origin(url, &path);
	g_auto(WebUrlRow) row = {0};
	int64_t host;
	*asked_r = false;
	if (!origin)
		return true;
	if (!writer_web_host(c->w, origin, &host, error))
		return false;
	int found = writer_web_get_url(c->w, host, web_hash(path, strlen(path)), &row, error);
	*asked_r = found > 0 && row.visit.visited_s >= since_s;
	return found >= 0;
}

void web_source_end_test(WebSource *s)
{
	g_clear_pointer(&s->tested, g_free);
	g_clear_pointer(&s->tested_other, g_free);
}

static void rules_end_test(WebCrawl *c, WebSource *s)
{
	frontier_end_test(c->frontier, s->origin, s->prefix);
	web_source_end_test(s);
}

/* Both URLs are due at once, so the test ends soon, or the host does not answer. */
static bool rules_look_at_test(WebCrawl *c, WebSource *s, GError **error)
{
	DustVerdict verdict = DUST_UNKNOWN;
	bool asked, other_asked;
	if (g_get_real_time() / G_USEC_PER_SEC > s->tested_s + TEST_MOST_S) {
		rules_end_test(c, s);
		s->lesson.walk = true; /* what was asked for it is an alias again */
		return rules_keep_lesson(c, s, error);
	}
	if (!rules_is_asked_since(c, s->tested, s->tested_s, &asked, error) ||
	        !rules_is_asked_since(c, s->tested_other, s->tested_s, &other_asked, error))
		return false;
	if (!asked || !other_asked)
		return true;
	if (rules_compare(c, s, s->tested, s->tested_other, &verdict, error) < 0)
		return false;
	if (verdict == DUST_UNKNOWN)
		return true;
	rules_end_test(c, s);
	return verdict == DUST_EQUAL ? rules_pass(c, s, s->tested_rule, true, error)
	                             : rules_refute(c, s, s->tested_rule, error);
}

/* ---- choosing the next work */

/* A crawl that ends, or pauses, leaves few new pages. */
static bool lesson_is_due(WebRules *r, const WebSource *s, int64_t now_us)
{
	int64_t known = s->lesson.pages, fresh = r->pages - known;
	if (r->pages < LESSON_LEAST || fresh <= known / QUIET_PART)
		return false;
	if (fresh >= MAX(LESSON_PAGES, known / 4) || now_us >= r->noted_us + QUIET_US)
		return true;
	rules_wake_at(r, r->noted_us + QUIET_US);
	return false;
}

/* Pages that turned out to be aliases, or are gone, make room for new ones: these count from the
 * smallest number of pages since the last lesson. */
static bool rules_count_pages(WebCrawl *c, WebRules *r, WebSource *s, GError **error)
{
	r->pages = frontier_source_pages(c->frontier, s->origin, s->prefix);
	if (r->pages >= s->lesson.pages)
		return true;
	s->lesson.pages = r->pages;
	return rules_keep_lesson(c, s, error);
}

static bool rules_look_at(WebCrawl *c, WebRules *r, WebSource *s, GError **error)
{
	int64_t test = 0, now_us = g_get_monotonic_time();
	if (s->is_feed || s->id == 0)
		return true;
	if (!rules_read_lesson(c, s, error))
		return false;
	if (s->tested)
		rules_wake_at(r, now_us + CHECK_US);
	if (s->tested && !rules_look_at_test(c, s, error))
		return false;
	if (now_us >= r->walk_next_us)
		s->lesson.walk |= frontier_take_walk_due(c->frontier, s->origin, s->prefix);
	else
		rules_wake_at(r, r->walk_next_us);
	int64_t walk_us = MAX(s->walk_at_us, r->walk_next_us);
	bool walk = s->lesson.walk && now_us >= walk_us;
	if (s->lesson.walk && !walk)
		rules_wake_at(r, walk_us);
	if (g_get_real_time() / G_USEC_PER_SEC >= s->tested_s + TEST_PAUSE_S && !s->tested &&
	        !rules_choose_test(c, s, &test, error))
		return false;
	if (!rules_count_pages(c, r, s, error))
		return false;
	if (walk || test != 0) {
		rules_begin_walk(c, r, s, test);
	} else if (lesson_is_due(r, s, now_us)) {
		r->source = s->id;
		r->stage = RULES_READ;
		r->at = (WebPrint){0};
		r->lesson = lesson_new(c);
	}
	return true;
}

static bool rules_look(WebCrawl *c, WebRules *r, GError **error)
{
	int64_t now_us = g_get_monotonic_time();
	if (now_us < r->next_us)
		return true;
	r->next_us = now_us + LOOK_US;
	for (guint i = 0; r->stage == RULES_IDLE && i < c->sources->len; i++)
		if (!rules_look_at(c, r, c->sources->pdata[i], error))
			return false;
	if (r->stage != RULES_IDLE) /* the sources after this one */
		rules_wake_at(r, now_us + CHECK_US);
	return true;
}

bool web_rules_step(WebCrawl *c, bool *more_r, GError **error)
{
	WebRules *r = c->rules;
	WebSource *s = r->stage == RULES_IDLE ? NULL : web_source_by_id(c, r->source);
	bool ok = true;
	if (r->stage != RULES_IDLE && !s) {
		web_rules_reset(c);
	} else if (r->stage == RULES_IDLE) {
		ok = rules_look(c, r, error);
	} else if (r->stage == RULES_READ) {
		ok = rules_read(c, r, error);
	} else if (r->stage == RULES_WALK) {
		ok = rules_walk(c, r, s, error);
	} else if (lesson_is_done(r->lesson)) {
		ok = rules_take(c, r, s, error);
		rules_drop_lesson(r);
		r->stage = RULES_IDLE;
	}
	*more_r = r->stage == RULES_READ || r->stage == RULES_WALK;
	return ok;
}

int64_t web_rules_next_us(const WebCrawl *c)
{
	const WebRules *r = c->rules;
	if (r->stage == RULES_IDLE)
		return r->next_us;
	return r->stage == RULES_THINK ? INT64_MAX : 0;
}

/* ---- what pages tell */

bool web_rules_note_page(WebCrawl *c, const char *url, GError **error)
{
	const char *path;
	g_autofree char *origin = url_origin(url, &path);
	WebSource *s = origin ? web_source_of(c, origin, path, WEB_PAGE) : NULL;
	int64_t rule;
	c->rules->noted_us = g_get_monotonic_time();
	rules_wake_at(c->rules, c->rules->noted_us + CHECK_US);
	if (s)
		s->walk_wait_s = s->walk_at_us = 0;
	if (!s || !c->frontier)
		return true;
	return frontier_refuted_by(c->frontier, origin, path, &rule, error) &&
	       (rule == 0 || rules_refute(c, s, rule, error));
}

/* ---- life */

WebRules *web_rules_new(void)
{
	WebRules *r = g_new0(WebRules, 1);
	r->differ = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return r;
}

void web_rules_reset(WebCrawl *c)
{
	WebRules *r = c->rules;
	rules_drop_lesson(r);
	rules_end_walk(r);
	r->stage = RULES_IDLE;
	r->next_us = 0;
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		s->lesson_read = false;
		web_source_end_test(s);
	}
}

void web_rules_free(WebRules *r)
{
	if (!r)
		return;
	rules_drop_lesson(r);
	rules_end_walk(r);
	g_hash_table_unref(r->differ);
	g_free(r);
}
