/** Settings of campaigns that leads enter by their answers. Choice 116. */
import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { findUserCampaign, type Campaign } from '../../db/campaigns/campaigns.ts';
import { cancelUnwanted } from '../../db/campaigns/subsequence-starts.ts';
import type { Database } from '../../db/tables.ts';
import { subsequenceProblems, type StartsOn } from '../../domain/campaigns/subsequences.ts';
import { validationError } from '../../domain/errors.ts';

/** The columns of `startsOn`. Answers of before `now` do not count, unless the rule was there `before`. */
export function startColumns(startsOn: StartsOn | null, now: Date, before?: Campaign) {
  const columns = {
    starts_on_interests: startsOn && [...startsOn.interest],
    starts_on_campaign_id: startsOn && startsOn.campaignId,
    starts_after_days: startsOn && startsOn.afterDays,
  };
  const isSame = before !== undefined && isDeepStrictEqual(columns, ruleOf(before));
  return { ...columns, starts_since: isSame ? before.starts_since : startsOn && now };
}

const ruleOf = (campaign: Campaign) => ({
  starts_on_interests: campaign.starts_on_interests,
  starts_on_campaign_id: campaign.starts_on_campaign_id,
  starts_after_days: campaign.starts_after_days,
});

/** The campaign whose answers count must be another one of the account. */
export async function checkStartsOn(
  db: Kysely<Database>,
  userId: string,
  startsOn: StartsOn | null,
  own?: number,
): Promise<void> {
  const id = startsOn?.campaignId ?? null;
  if (id === null) return;
  const words =
    id === own
      ? 'must be another campaign'
      : (await findUserCampaign(db, userId, id))
        ? undefined
        : `must be a campaign of the account, which ${id} is not`;
  if (words === undefined) return;
  const field = 'startsOn.campaignId';
  throw validationError([{ field, message: `${field} ${words}` }]);
}

/** After the row was changed; what was planned by the rule of before is cancelled where it fits no more. */
export async function changeStarts(
  trx: Transaction<Database>,
  campaign: Campaign,
  {
    change: { startsOn, onlyNeverContacted = campaign.only_never_contacted },
    now,
  }: {
    change: { startsOn?: StartsOn | null | undefined; onlyNeverContacted?: boolean | undefined };
    now: Date;
  },
): Promise<void> {
  const rule = startsOn === undefined ? campaign.starts_on_interests : startsOn;
  const problems = subsequenceProblems({ isSubsequence: rule !== null, onlyNeverContacted });
  if (problems.length > 0) throw validationError(problems);
  if (startsOn === undefined) return;
  await checkStartsOn(trx, campaign.user_id, startsOn, campaign.id);
  await cancelUnwanted(trx, campaign.id, now);
}
