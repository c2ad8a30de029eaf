/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane.h - guesses the lane of a file from its name
 *
 * The guess may be wrong: the child then reports the lane that the content needs, which costs
 * little. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

WireLane lane_by_name(const char *name);
/* True if children of the lane have the plugins of the other one. */
bool lane_includes(WireLane lane, WireLane other);
/* Names of the plugins that probably are in the lane, for a caller that does not know them yet; a
 * wrong guess costs another start. NULL-terminated; NULL for LANE_ALL. */
const char *const *lane_usual_plugins(WireLane lane);
/* Bytes of address space for a child that converts this file of size bytes. */
uint64_t lane_memory(WireLane lane, const char *name, uint64_t size, const ExtractLimits *limits);
