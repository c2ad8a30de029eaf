/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane.h - what a file's name says about the effort of converting it
 *
 * Only a first guess: the child tells when the content wants another lane. A wrong guess costs a
 * moment. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

WireLane lane_by_name(const char *name);
/* Address space for a child that converts this file. */
uint64_t lane_memory(WireLane lane, const char *name, uint64_t size, const ExtractLimits *limits);
