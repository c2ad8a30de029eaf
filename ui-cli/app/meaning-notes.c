/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/meaning-notes.h"
#include "common/base/i18n.h"

/* NULL: it has a share. */
static const char *meaning_notes_obstacle(MeaningPart part)
{
	static const char *const texts[] = {
	        [MEANING_OFF] = N_("left out: by the configuration (search.meaning), or because "
	                           "the hits have another order"),
	        [MEANING_FEW_WORDS] = N_("no share: the query is not made of several plain words"),
	        [MEANING_FEW_MATCHES] = N_("no share: there are too few matches"),
	        [MEANING_UNLEARNED] = N_("no share: the index has not learned them yet"),
	        [MEANING_DISAGREES] = N_("no share: too little is learned about these words"),
	        [MEANING_COUNTS] = NULL,
	};
	return texts[part];
}

void meaning_notes_explain(const Cli *cli, const SearchResult *result, unsigned offset)
{
	const char *obstacle = meaning_notes_obstacle(result->meaning);
	cli_note(cli, "%s",
	        result->meaning_brought
	                ? _("Latent semantics, by the word vectors of search.embedding:")
	                : _("Latent semantics:"));
	if (obstacle)
		cli_note(cli, "  %s", _(obstacle));
	for (guint i = 0; !obstacle && i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		/* TRANSLATORS: the rank of a hit, a share, and the score that it is a part of */
		cli_note(cli, _("  hit %u: %.0f %% of the score %.2f"), offset + i + 1,
		        100 * hit->meaning_share, hit->score);
	}
}
