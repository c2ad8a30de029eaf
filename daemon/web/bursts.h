/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bursts.h - how much likelier a page changes, by how long ago it was last seen to change
 *
 * The rate of a page (schedule.h) is that of a Poisson process, for which the past does not matter.
 * Pages of many sites change in bursts, or by the day: so each host learns a factor of the rate for
 * each class of pages, from all its visits. A visit that comes t seconds after the one before finds
 * a change with the probability 1 - exp(-factor rate t). The logarithm of the factor is estimated
 * by Fisher scoring, one step a visit: it grows by the derivative of the log likelihood over the
 * sum of the information of the visits, which fades. A visit that was bound to find a change, or
 * none, has next to no information. A prior of the factor 1 weighs as much as BURST_PRIOR
 * informative visits. */
#pragma once
#include "index/write/writer-web.h"

#define BURST_PRIOR 20.0
#define BURST_FADE 0.9998 /* some 5,000 visits of a class count */

/* The class of a page that was seen to change: by powers of two of the hours from the last such
 * change to the last visit. The others have none, since their rates are guesses. */
unsigned burst_class(const WebVisit *visit);
/* Notes a visit of a page of the class. expected: changes since the visit before, by the rate. */
void burst_observe(WebBurst *burst, double expected, bool changed);
/* By what the rate of a page of the class is multiplied. */
double burst_factor(const WebBurst *burst);
