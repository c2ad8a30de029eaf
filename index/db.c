/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/db.h"

G_DEFINE_QUARK(index-error-quark, index_error)
