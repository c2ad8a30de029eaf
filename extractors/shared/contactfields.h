/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contactfields.h - properties of a contact of Outlook (MS-OXPROPS), in the order of their text */
#pragma once
#include <stdint.h>

static const uint16_t contact_fields[] = {
        0x3001, /* display name */
        0x3a45, /* title */
        0x3a06, /* given name */
        0x3a44, /* middle name */
        0x3a11, /* surname */
        0x3a4f, /* nickname */
        0x3a16, /* company */
        0x3a17, /* job */
        0x3a18, /* department */
        0x3a19, /* office */
        0x3a15, /* postal address */
        0x3a29, /* street */
        0x3a27, /* city */
        0x3a28, /* region */
        0x3a2a, /* postal code */
        0x3a26, /* country */
        0x3a08, /* business telephone */
        0x3a09, /* home telephone */
        0x3a1c, /* mobile telephone */
        0x3a1a, /* primary telephone */
        0x3a24, /* fax */
        0x3a51, /* home page */
};

/* Numbers of properties whose place in a file differs: mail addresses of a contact. */
static const uint16_t contact_mails[] = {0x8083, 0x8093, 0x80a3};
