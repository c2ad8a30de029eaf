/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oleobject.h - objects that stand in documents of Office: other documents, or files of any kind
 *
 * Each has a storage of its own (MS-OLEDS, MS-CFB): in a file inside the document, or among the
 * storages of the document. It holds the streams of an old document, a newer one as a whole
 * ("Package"), what a program keeps its file in ("CONTENTS"), or a file that was dragged in
 * ("\1Ole10Native"). Formulas and drawings without a document in them are left out. */
#pragma once
#include "extractors/shared/olefile.h"

/* Send the document that an object is as a member of this name, or of the one it had. False once
 * the sink is full; true where there is nothing in it.
 *
 * object: a compound file, or a document as it is. */
bool ole_object_send(Sink *sink, const char *name, Bytes object);
/* storage: what is in the compound file that is read. */
bool ole_object_send_storage(Sink *sink, const char *name, GsfInfile *storage);
/* All inner storages of a storage whose names begin so, at most 4,096. */
bool ole_object_send_all(Sink *sink, GsfInfile *storage, const char *prefix);
/* object: one as RTF keeps it (MS-OLEDS 2.2.5), with its class before its bytes. */
bool ole_object_send_old(Sink *sink, const char *name, Bytes object);
