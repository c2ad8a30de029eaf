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

/* A mouse has a battery too: only those that feed the machine count ("scope" is "Device" else,
 * Documentation/ABI/testing/sysfs-class-power). */
static bool is_low(const char *supply, unsigned percent)
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
		low = is_low(supply, percent);
	}
	return low;
}

/* "full avg10=1.23 ..." */
static bool is_pressed(const char *root, const char *resource)
{
	g_autofree char *dir = g_strconcat(root, "/proc/pressure", NULL);
	g_autofree char *text = read_line(dir, resource);
	const char *full = text ? strstr(text, "full avg10=") : NULL;
	return full && g_ascii_strtod(full + strlen("full avg10="), NULL) > PRESSURE_PERCENT;
}

GuestVerdict guest_ask(const char *root, unsigned battery_percent)
{
	if (battery_is_low(root, battery_percent))
		return GUEST_BATTERY;
	if (is_pressed(root, "memory"))
		return GUEST_MEMORY;
	return is_pressed(root, "io") ? GUEST_DISK : GUEST_WELCOME;
}

GuestVerdict guest_consider(
        Guest *guest, const char *root, unsigned battery_percent, int64_t now_us)
{
	GuestVerdict before = guest->verdict;
	guest->verdict = guest_ask(root, battery_percent);
	if (guest->verdict == GUEST_DISK && now_us < guest->own_until_us)
		guest->verdict = GUEST_WELCOME;
	if (guest->verdict == GUEST_DISK && before != GUEST_DISK)
		guest->resting_us = now_us;
	if (guest->verdict == GUEST_WELCOME && before == GUEST_DISK &&
	        now_us - guest->resting_us <= GUEST_TRIAL_US)
		guest->own_until_us = now_us + GUEST_OWN_US;
	return guest->verdict;
}

const char *guest_reason(GuestVerdict verdict)
{
	switch (verdict) {
	case GUEST_BATTERY:
		return _("the battery is low");
	case GUEST_MEMORY:
		return _("memory is short");
	case GUEST_DISK:
		return _("the disks are busy");
	case GUEST_WELCOME:
		break;
	}
	return NULL;
}
