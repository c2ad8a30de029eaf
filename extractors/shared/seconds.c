/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/seconds.h"
#include <glib.h>

void seconds_send(Sink *sink, double seconds)
{
	char text[32];
	if (!(seconds > 0 && seconds < 3.2e8))
		return;
	g_snprintf(text, sizeof text, "%u", MAX((unsigned)(seconds + 0.5), 1));
	sink_field(sink, FIELD_DURATION, text, -1);
}
