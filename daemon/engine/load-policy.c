/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/load-policy.h"
#include "common/base/i18n.h"
#include <glib.h>
#include <string.h>

#define SUPPLIES "/sys/class/power_supply"
enum { PRESSURE_PERCENT = 20 };

static char *read_line(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;
	return g_file_get_contents(path, &text, NULL, NULL) ? g_strstrip(text) : NULL;
}

/* A mouse has a battery too. Only batteries that supply the machine count; the "scope" of others is
 * "Device" (Documentation/ABI/testing/sysfs-class-power). */
static bool load_policy_is_low(const char *supply, unsigned percent)
{
	g_autofree char *type = read_line(supply, "type");
	g_autofree char *scope = read_line(supply, "scope");
	g_autofree char *status = read_line(supply, "status");
	g_autofree char *capacity = read_line(supply, "capacity");
	return g_strcmp0(type, "Battery") == 0 && g_strcmp0(scope, "Device") != 0 &&
	       g_strcmp0(status, "Discharging") == 0 && capacity &&
	       g_ascii_strtoull(capacity, NULL, 10) < percent;
}

static bool battery_is_low(const char *root, unsigned percent)
{
	bool low = false;
	g_autofree char *supplies = g_strconcat(root, SUPPLIES, NULL);
	g_autoptr(GDir) dir = percent > 0 ? g_dir_open(supplies, 0, NULL) : NULL;
	if (!dir)
		return false;
	for (const char *name; !low && (name = g_dir_read_name(dir));) {
		g_autofree char *supply = g_build_filename(supplies, name, NULL);
		low = load_policy_is_low(supply, percent);
	}
	return low;
}

/* The line is "full avg10=1.23 ...". */
static bool has_pressure(const char *root, const char *resource)
{
	g_autofree char *dir = g_strconcat(root, "/proc/pressure", NULL);
	g_autofree char *text = read_line(dir, resource);
	const char *full = text ? strstr(text, "full avg10=") : NULL;
	return full && g_ascii_strtod(full + strlen("full avg10="), NULL) > PRESSURE_PERCENT;
}

LoadVerdict load_policy_ask(const char *root, unsigned battery_percent)
{
	if (battery_is_low(root, battery_percent))
		return LOAD_BATTERY;
	if (has_pressure(root, "memory"))
		return LOAD_MEMORY;
	return has_pressure(root, "io") ? LOAD_DISK : LOAD_LOW;
}

LoadVerdict load_policy_consider(
        LoadPolicy *load_policy, const char *root, unsigned battery_percent, int64_t now_us)
{
	LoadVerdict before = load_policy->verdict;
	load_policy->verdict = load_policy_ask(root, battery_percent);
	if (load_policy->verdict == LOAD_DISK && now_us < load_policy->own_until_us)
		load_policy->verdict = LOAD_LOW;
	if (load_policy->verdict == LOAD_DISK && before != LOAD_DISK)
		load_policy->resting_us = now_us;
	if (load_policy->verdict == LOAD_LOW && before == LOAD_DISK &&
	        now_us - load_policy->resting_us <= LOAD_TRIAL_US)
		load_policy->own_until_us = now_us + LOAD_OWN_US;
	return load_policy->verdict;
}

const char *load_policy_reason(LoadVerdict verdict)
{
	switch (verdict) {
	case LOAD_BATTERY:
		return _("the battery is low");
	case LOAD_MEMORY:
		return _("memory is low");
	case LOAD_DISK:
		return _("the disks are busy");
	case LOAD_LOW:
		break;
	}
	return NULL;
}
