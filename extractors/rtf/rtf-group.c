/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-group.c - groups of RTF: they nest, inherit, and may be destinations
 *
 * The end of a group sends what the group was about: a fact, a date, a link, a description. */
#include <config.h>
#include "extractors/rtf/rtf-private.h"
#include "extractors/shared/fieldlink.h"
#include <string.h>

enum { MAX_GROUPS = 1000 };

void rtf_open_group(Rtf *rtf)
{
	rtf_flush(rtf);
	rtf->skip = 0;
	rtf->now.fresh = false;
	bool repeated = rtf->now.two_forms;
	rtf->now.two_forms = false;
	g_array_append_val(rtf->groups, rtf->now);
	rtf->now.starred = false;
	rtf->now.fresh = true;
	rtf->now.inset = rtf->now.box = rtf->now.link = false;
	if (rtf->now.into != INTO_FACT)
		rtf->now.field = -1;
	if (repeated || rtf->groups->len >= MAX_GROUPS)
		rtf->now.into = INTO_NOTHING;
}

/* Handles the description of a picture and WordArt text. */
static void end_property(Rtf *rtf, RtfInto was)
{
	if (was == INTO_PROPERTY_NAME) {
		rtf->described = strcmp(rtf->fact->str, "wzDescription") == 0 ||
		                 strcmp(rtf->fact->str, "gtextUNICODE") == 0;
	} else if (rtf->described) {
		rtf->described = false;
		flow_inset(&rtf->flow, TAG_CAPTION);
		flow_text(&rtf->flow, rtf->fact->str, rtf->fact->len);
		flow_inset_end(&rtf->flow);
	}
}

/* The field's result is the next group but one at the same level. */
static void end_instruction(Rtf *rtf)
{
	g_free(rtf->href);
	rtf->href = field_link(rtf->instruction->str);
	rtf->href_level = rtf->groups->len;
	rtf->silent = field_is_silent(rtf->instruction->str);
	FieldText shown = field_text(rtf->instruction->str);
	if (shown.text && !rtf->now.hidden)
		flow_text(&rtf->flow, shown.text, strlen(shown.text));
	if (!rtf->now.hidden)
		flow_inset_text(&rtf->flow, rtf_paragraph_tag(rtf), shown.reading);
	field_text_clear(&shown);
}

void rtf_begin_instruction(Rtf *rtf)
{
	if (rtf->now.into == INTO_TEXT)
		g_string_truncate(rtf->instruction, 0);
	rtf->now.into = rtf->now.into == INTO_TEXT ? INTO_INSTRUCTION : INTO_NOTHING;
}

/* A form field belongs to the instruction of a field. */
void rtf_begin_form_field(Rtf *rtf)
{
	bool shown = rtf->now.into == INTO_INSTRUCTION && !rtf->now.hidden;
	rtf->now.into = shown ? INTO_FORM_FIELD : INTO_NOTHING;
	rtf->list_choice = NO_CHOICE;
	rtf->list_entry = 0;
}

void rtf_begin_list_entry(Rtf *rtf)
{
	rtf->now.into = rtf->now.into == INTO_FORM_FIELD ? INTO_LIST_ENTRY : INTO_NOTHING;
	g_string_truncate(rtf->fact, 0);
}

/* The chosen entry is what the field displays; its result does not repeat it. */
static void end_list_entry(Rtf *rtf)
{
	long choice = rtf->list_choice == NO_CHOICE ? 0 : rtf->list_choice;
	if (rtf->list_entry++ == choice)
		flow_text(&rtf->flow, rtf->fact->str, rtf->fact->len);
}

void rtf_begin_result(Rtf *rtf)
{
	bool shown = rtf->now.into == INTO_TEXT && !rtf->now.hidden;
	if (rtf->href_level + 1 != rtf->groups->len || !shown)
		return;
	rtf_flush(rtf);
	if (rtf->silent)
		rtf->now.into = INTO_NOTHING;
	rtf->now.link = rtf->href != NULL;
	flow_link(&rtf->flow, g_steal_pointer(&rtf->href));
}

void rtf_begin_object(Rtf *rtf)
{
	bool shown = rtf->now.into == INTO_TEXT && !rtf->now.hidden;
	rtf->now.into = shown ? INTO_OBJECT : INTO_NOTHING;
	if (shown)
		objects_begin(rtf->objects);
}

void rtf_close_group(Rtf *rtf)
{
	rtf_flush(rtf);
	rtf->skip = 0;
	if (rtf->groups->len == 0)
		return;
	RtfGroup was = rtf->now;
	rtf->now = g_array_index(rtf->groups, RtfGroup, rtf->groups->len - 1);
	g_array_set_size(rtf->groups, rtf->groups->len - 1);
	if (was.into == INTO_FACT && rtf->now.into != INTO_FACT)
		rtf_fact_put(rtf->sink, was.field, rtf->fact->str, rtf->fact->len);
	else if (was.field >= 0 && was.into == INTO_NOTHING && rtf->now.field < 0)
		rtf_fact_put_date(rtf->sink, was.field, &rtf->date);
	else if (was.into != rtf->now.into &&
	         (was.into == INTO_PROPERTY_NAME || was.into == INTO_PROPERTY))
		end_property(rtf, was.into);
	else if (was.into == INTO_INSTRUCTION && rtf->now.into != INTO_INSTRUCTION)
		end_instruction(rtf);
	else if (was.into == INTO_LIST_ENTRY && rtf->now.into == INTO_FORM_FIELD)
		end_list_entry(rtf);
	if (was.link)
		flow_link_end(&rtf->flow);
	if (was.inset)
		flow_inset_end(&rtf->flow);
}

void rtf_begin_inset(Rtf *rtf, DocTag tag)
{
	if (rtf->now.into != INTO_TEXT || rtf->now.inset)
		return;
	rtf_flush(rtf);
	rtf->now.inset = true;
	flow_inset(&rtf->flow, tag);
}

void rtf_begin_box(Rtf *rtf)
{
	if (rtf->now.into != INTO_TEXT || rtf->now.inset)
		return;
	rtf_begin_inset(rtf, TAG_BODY);
	rtf->now.box = true;
}

void rtf_begin_property(Rtf *rtf, RtfInto into)
{
	if (rtf->now.repeated || rtf->now.into > INTO_NOTHING)
		return;
	rtf->now.into = into;
	g_string_truncate(rtf->fact, 0);
}
