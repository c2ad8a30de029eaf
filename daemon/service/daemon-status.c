/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/daemon-status.h"
#include "daemon/fs/agent-launcher.h"
#include "common/base/i18n.h"
#include <unistd.h>

static const char *const root_states[] = {
        [ROOT_SCANNING] = "scanning",
        [ROOT_WATCHING] = "watching",
        [ROOT_OFFLINE] = "offline",
        [ROOT_DENIED] = "denied",
        [ROOT_STUCK] = "stuck",
};

static const char *status_reason(const EngineStatus *status, const StatusFacts *facts)
{
	const char *reason = NULL;
	switch (status->mode) {
	case MODE_DISK_FULL:
		return _("the disk of the index is full, or has less free space than disk-reserve "
		         "requires");
	case MODE_RECOVERING:
		return status->last_error;
	case MODE_NO_CONVERTER:
		return _("tarsier-extract cannot be started");
	case MODE_PAUSED:
	case MODE_LOAD_HOLDS:
		reason = load_policy_reason(status->facts.load);
		return reason ? reason : "";
	default:
		return status->roots->len == 0 && facts->sources == 0 ? _("no directory is watched")
		                                                      : "";
	}
}

/* Returns "idle", "scanning", "indexing", "paused" or "degraded". *reason_r: translated, or "".
 * Both are borrowed. */
static const char *status_state(
        const EngineStatus *status, const StatusFacts *facts, const char **reason_r)
{
	static const char *const states[N_ENGINE_MODES] = {
	        [MODE_STOPPING] = "idle",
	        [MODE_DISK_FULL] = "degraded",
	        [MODE_RECOVERING] = "degraded",
	        [MODE_NO_CONVERTER] = "degraded",
	        [MODE_PAUSED] = "paused",
	        [MODE_LOAD_HOLDS] = "paused",
	        [MODE_STARTING] = "scanning",
	        [MODE_SCANNING] = "scanning",
	        [MODE_THROTTLED] = "indexing",
	        [MODE_INDEXING] = "indexing",
	        [MODE_IDLE] = "idle",
	};
	*reason_r = status_reason(status, facts);
	return states[status->mode];
}

static GVariant *roots_array(const EngineStatus *status)
{
	GVariantBuilder roots;
	g_variant_builder_init(&roots, G_VARIANT_TYPE("aa{sv}"));
	for (guint i = 0; i < status->roots->len; i++) {
		const EngineRoot *root = status->roots->pdata[i];
		GVariantDict dict;
		g_variant_dict_init(&dict, NULL);
		g_variant_dict_insert_value(&dict, "path", g_variant_new_bytestring(root->path));
		g_variant_dict_insert(&dict, "state", "s", root_states[root->state]);
		const Coverage *coverage = &root->coverage;
		g_variant_dict_insert(&dict, "watched", "t", coverage->watched);
		g_variant_dict_insert(&dict, "polled", "t", coverage->polled);
		g_variant_dict_insert(&dict, "denied", "t", coverage->denied);
		g_variant_builder_add_value(&roots, g_variant_dict_end(&dict));
	}
	return g_variant_builder_end(&roots);
}

static void add_counts(GVariantDict *dict, const EngineStatus *status)
{
	const PipelineCounts *pipeline = &status->pipeline;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
	        {"directories", status->directories},
	        {"files", status->files},
	        {"polled", status->watches.polled},
	        {"dirty", status->dirty},
	        {"pending", status->pending},
	        {"held", pipeline->postponed},
	        {"converting", pipeline->converting},
	        {"done", pipeline->done},
	        {"watches_used", status->watches.used},
	        {"watches_budget", status->watches.budget},
	        {"watches_limit", status->watches.limit},
	        {"overflows", status->overflows},
	        {"extractions", pipeline->extractions},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++)
		g_variant_dict_insert(dict, counts[i].key, "t", counts[i].value);
}

static GVariant *partition_dict(const WebPartitionStatus *partition)
{
	GVariantDict dict;
	g_variant_dict_init(&dict, NULL);
	g_variant_dict_insert(&dict, "open", "b", partition->open);
	g_variant_dict_insert(&dict, "hosts", "t", (guint64)partition->hosts);
	g_variant_dict_insert(&dict, "ours", "t", (guint64)partition->ours);
	g_variant_dict_insert(&dict, "crawlers", "t", (guint64)partition->crawlers);
	g_variant_dict_insert(&dict, "since", "x", partition->since_s);
	g_variant_dict_insert(&dict, "error", "s", partition->error ? partition->error : "");
	return g_variant_dict_end(&dict);
}

/* "" if this process has no such launcher, or it has ended. */
static const char *roots_launcher_level(void)
{
	AgentLauncher *launcher = agent_launcher_of_process();
	int level = launcher ? agent_launcher_level(launcher) : -1;
	return level >= 0 && level < N_SANDBOX_LEVELS ? sandbox_level_name(level) : "";
}

GVariant *status_dict(const EngineStatus *status, const StatusFacts *facts)
{
	const char *reason;
	GVariantDict dict;
	g_variant_dict_init(&dict, NULL);
	g_variant_dict_insert(&dict, "state", "s", status_state(status, facts, &reason));
	g_variant_dict_insert(&dict, "reason", "s", reason);
	g_variant_dict_insert(&dict, "version", "s", PACKAGE_VERSION);
	g_variant_dict_insert(&dict, "pid", "i", (gint32)getpid());
	g_variant_dict_insert(&dict, "paused_until", "x", facts->paused_until_s);
	g_variant_dict_insert(
	        &dict, "config_error", "s", facts->config_error ? facts->config_error : "");
	g_variant_dict_insert_value(&dict, "roots", roots_array(status));
	add_counts(&dict, status);
	g_variant_dict_insert_value(
	        &dict, "current", g_variant_new_bytestring(status->current ? status->current : ""));
	g_variant_dict_insert(
	        &dict, "compaction", "s", status->compaction ? status->compaction : "");
	g_variant_dict_insert(&dict, "sandbox", "s", sandbox_level_name(facts->sandbox));
	g_variant_dict_insert(&dict, "confinement", "s", sandbox_level_name(facts->confinement));
	g_variant_dict_insert(&dict, "launcher", "s",
	        facts->launcher ? sandbox_level_name(fetch_launcher_level(facts->launcher)) : "");
	g_variant_dict_insert(&dict, "roots_launcher", "s", roots_launcher_level());
	g_variant_dict_insert(&dict, "last_reconcile", "x", status->last_reconcile_s);
	g_variant_dict_insert(&dict, "last_compared", "x", status->last_compared_s);
	g_variant_dict_insert(&dict, "disk_full", "b", status->facts.disk_full);
	if (status->partition.shared)
		g_variant_dict_insert_value(&dict, "partition", partition_dict(&status->partition));
	return g_variant_dict_end(&dict);
}
