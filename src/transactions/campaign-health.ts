/** Bounces and complaints of a campaign over the last days, and the resulting pause. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { PauseReason } from '../domain/campaigns/campaigns.ts';
import { sendingDaysMs } from '../domain/sending/sending-time.ts';
import { moveCampaign } from './campaign-states.ts';
import { lockCampaign } from '../db/campaigns/campaigns.ts';
import type { Database } from '../db/tables.ts';

export interface HealthSettings {
  SEND_BOUNCE_WARN_RATE: number;
  SEND_BOUNCE_PAUSE_RATE: number;
  SEND_COMPLAINT_PAUSE_RATE: number;
  SEND_HEALTH_DAYS: number;
  SEND_HEALTH_MIN_SENDS: number;
  SEND_HEALTH_MIN_COMPLAINTS: number;
  DAY_SECONDS: number;
}

interface Health {
  messages: number;
  bounced: number;
  complained: number;
  /** Since the first message. */
  all_bounced: number;
  all_complained: number;
  /** As the campaign has it. */
  warning: string | null;
}

const WARNING = 'Many messages bounce: check the addresses before more are sent';

/**
 * Pauses an active campaign above the thresholds, warns below. Resuming accepts the bounces and complaints so
 * far: only further ones pause it again. True when it was paused. docs/sending-rules.md#when-sending-pauses.
 */
export async function checkHealth(
  db: Kysely<Database>,
  settings: HealthSettings,
  campaignId: number,
  now: Date,
): Promise<boolean> {
  const health = await readHealth(db, settings, campaignId, now);
  const { messages, bounced, complained } = health;
  const isSignificant = messages >= settings.SEND_HEALTH_MIN_SENDS;
  const bounceRate = isSignificant ? bounced / messages : 0;
  const complains =
    isSignificant &&
    complained >= settings.SEND_HEALTH_MIN_COMPLAINTS &&
    complained / messages >= settings.SEND_COMPLAINT_PAUSE_RATE;
  const bounces = isSignificant && bounceRate >= settings.SEND_BOUNCE_PAUSE_RATE;
  const warning = bounceRate >= settings.SEND_BOUNCE_WARN_RATE ? WARNING : null;
  if (!complains && !bounces && health.warning === warning) return false;
  return db.transaction().execute(async (trx) => {
    const campaign = await lockCampaign(trx, campaignId);
    const isOwn = campaign.warning === null || campaign.warning === WARNING;
    if (isOwn && campaign.warning !== warning) {
      await trx.updateTable('campaigns').set({ warning }).where('id', '=', campaignId).execute();
    }
    const isNew = {
      bounces: bounces && health.all_bounced > campaign.accepted_bounces,
      complaints: complains && health.all_complained > campaign.accepted_complaints,
    };
    if (!isNew.bounces && !isNew.complaints) return false;
    const reason = isNew.complaints ? 'complaint_rate' : 'bounce_rate';
    return pauseFor(trx, campaignId, { reason, now, accepted: health });
  });
}

/** Pauses an active campaign automatically, with the reason. Choice 7. */
export async function pauseFor(
  trx: Transaction<Database>,
  campaignId: number,
  {
    reason,
    now,
    warning,
    accepted,
  }: {
    reason: PauseReason;
    now: Date;
    /** What the user should do about it. */
    warning?: string;
    accepted?: Pick<Health, 'all_bounced' | 'all_complained'>;
  },
): Promise<boolean> {
  if (accepted) {
    await trx
      .updateTable('campaigns')
      .set({
        accepted_bounces: accepted.all_bounced,
        accepted_complaints: accepted.all_complained,
      })
      .where('id', '=', campaignId)
      .where('status', '=', 'active')
      .execute();
  }
  return moveCampaign(trx, campaignId, {
    from: ['active'],
    to: 'paused',
    pauseReason: reason,
    warning,
    now,
  });
}

async function readHealth(
  db: Kysely<Database>,
  { SEND_HEALTH_DAYS, DAY_SECONDS }: HealthSettings,
  campaignId: number,
  now: Date,
): Promise<Health> {
  const since = new Date(now.getTime() - sendingDaysMs(SEND_HEALTH_DAYS, DAY_SECONDS));
  const recent = sql`filter (where day >= ${since.toISOString().slice(0, 10)}::date)`;
  const { rows } = await sql<Health>`/*campaign-health*/
    select coalesce(sum(sent + failed) ${recent}, 0)::integer as messages,
      coalesce(sum(bounced) ${recent}, 0)::integer as bounced,
      coalesce(sum(complained) ${recent}, 0)::integer as complained,
      coalesce(sum(bounced), 0)::integer as all_bounced,
      coalesce(sum(complained), 0)::integer as all_complained,
      (select warning from campaigns where id = ${campaignId}) as warning
    from campaign_counters where campaign_id = ${campaignId}`.execute(db);
  return rows[0]!;
}
