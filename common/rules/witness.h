/* SPDX-License-Identifier: GPL-3.0-or-later */
/* witness.h - which directories a rule judges anew when an entry comes or goes
 *
 * The rule of a generic name (build, venv) depends on a witness beside or inside the directory. The
 * table alone answers, whether the settings use the rule or not. */
#pragma once
#include <stdbool.h>

typedef enum { WITNESS_BESIDE, WITNESS_INSIDE } WitnessSide;

/* Can an entry of this name be a witness, or part of the path to one? */
bool witness_has_name(const char *name);
/* Can the verdict on a directory called dir (NULL: on any) change when this entry comes or goes?
 * entry: its path from where dir lies (beside) or from dir (inside). */
bool witness_concerns(const char *dir, WitnessSide side, const char *entry);
