/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - one function for each verb, in cmd-VERB.c */
#pragma once
#include "ui-cli/app/cli.h"

int cmd_search(Cli *cli);
int cmd_saved(Cli *cli);
int cmd_watch(Cli *cli);
int cmd_similar(Cli *cli);
int cmd_dups(Cli *cli);
int cmd_list(Cli *cli);
int cmd_show(Cli *cli);
int cmd_open(Cli *cli);
int cmd_info(Cli *cli);
int cmd_status(Cli *cli);
int cmd_failed(Cli *cli);
int cmd_retry(Cli *cli);
int cmd_add(Cli *cli);
int cmd_remove(Cli *cli);
int cmd_roots(Cli *cli);
int cmd_index(Cli *cli);
int cmd_pause(Cli *cli);
int cmd_resume(Cli *cli);
int cmd_extract(Cli *cli);
int cmd_formats(Cli *cli);
int cmd_check(Cli *cli);
int cmd_compact(Cli *cli);
int cmd_config(Cli *cli);
int cmd_doctor(Cli *cli);
int cmd_tui(Cli *cli);
int cmd_browse(Cli *cli);
int cmd_mount(Cli *cli);
int cmd_completion(Cli *cli);
int cmd_web(Cli *cli);
int cmd_mcp(Cli *cli);
int cmd_export(Cli *cli);
int cmd_help(Cli *cli);
