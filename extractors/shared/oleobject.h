/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oleobject.h - objects embedded in Office documents: other documents, or files of any kind
 *
 * Each object has a storage of its own (MS-OLEDS, MS-CFB): in a file inside the document, or among
 * the storages of the document. The storage holds the streams of a binary document, a zipped
 * document ("Package"), the file of another program ("CONTENTS"), or an embedded file of any type
 * ("\1Ole10Native"). Formulas and drawings that contain no document are left out. */
#pragma once
#include "extractors/shared/olefile.h"

/* Send the embedded document as a member, named after its own file name or else by `name`. False
 * once the sink is full; true if the object contains nothing.
 *
 * object: a compound file, or the document itself. */
bool ole_object_send(Sink *sink, const char *name, Bytes object);
/* storage: the object's storage in an open compound file. */
bool ole_object_send_storage(Sink *sink, const char *name, GsfInfile *storage);
/* Sends all inner storages whose names begin with prefix, at most 4,096. */
bool ole_object_send_all(Sink *sink, GsfInfile *storage, const char *prefix);
/* object: an object of RTF (MS-OLEDS 2.2.5), whose class precedes its bytes. */
bool ole_object_send_old(Sink *sink, const char *name, Bytes object);
