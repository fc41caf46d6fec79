/**
 * A campaign while worker, API, Postgres and Temporal are killed at random, and the invariants
 * afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { countActions, type ActionCount } from '../../src/dev/temporal/temporal-actions.ts';
import { eventually, newDomain, type Account } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { seededRandom } from './seeded-random.ts';
import { shardOf } from '../../src/domain/shards/shards.ts';
import { addHits, newKills, type Kills } from './kill-points.ts';
import { kill, killOwners, nextPoint, VICTIMS } from './victims.ts';

export interface CampaignDrill {
  recipients: number;
  mailboxes: number;
  kills: number;
  seed: number;
  /** Each kill takes the campaign's worker, and its successor as it takes the campaign's shard. */
  isAimed?: boolean;
  /** Limits of every mailbox; default: the configured ones, for days that are short enough. */
  limits?: { dailyLimit: number; hourlyLimit: number; minGapSeconds: number };
  report: (line: string) => void;
}

export interface CampaignDrillResult {
  campaignId: number;
  kills: number;
  /** Where they hit the campaign's shard as it changed its owner. */
  ownerKills: Kills;
  seconds: number;
  actions: ActionCount;
  /** The number of recipients by final state, with the reason where there is one. */
  ends: Record<string, number>;
}

/** Between the seeds of drills in one world, whose addresses must not meet. */
export const SEEDS_APART = 1_000;

const POLL_MS = 250;
const LIMIT_MS = 60 * 60_000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** The share of the work after which there are no kills, so that each kill meets some. */
const LAST_KILL = 0.95;
/** Below the thresholds that would pause the campaign. */
const ONE_BOUNCE_IN = 100;
/** So many answers that several come at once. */
const ONE_REPLY_IN = 10;

const addressOf = (seed: number, n: number): string => {
  const kind = n % ONE_BOUNCE_IN === 7 ? 'bounce-' : n % ONE_REPLY_IN === 3 ? 'reply-' : '';
  return `${kind}p${n}@firm${n}-s${seed}.test`;
};

export type Prepared = Omit<CampaignDrill, 'kills' | 'isAimed'>;

/** Prepares a cluster with mailboxes and starts a campaign to that many leads. */
export async function startCampaign(account: Account, drill: Prepared): Promise<number> {
  const { recipients, mailboxes, seed, limits, report } = drill;
  const { api } = account;
  const sender = { senderName: 'Drill', postalAddress: '1 Test Street, Springfield' };
  await api.account.update({ body: sender });
  const cluster = await account.order(newDomain(`drill${seed}`));
  await account.settled(cluster.id);
  const mailboxIds: number[] = [];
  for (let n = 0; n < mailboxes; n += 1) {
    const body = { email: `m${n}@${cluster.domain}` };
    const { id } = await api.mailboxes.create({ clusterId: cluster.id, body });
    if (limits) await api.mailboxes.updateLimits({ id, body: limits });
    mailboxIds.push(id);
  }
  report(`${mailboxes} mailboxes on ${cluster.domain}`);
  const list = await api.leadLists.create({ body: { name: `Drill ${seed}` } });
  const rows = Array.from(
    { length: recipients },
    (_, n) => `Pat,Number${n},Firm ${n} of ${seed},${addressOf(seed, n)}`,
  );
  const csv = `First name,Last name,Company,Email\n${rows.join('\n')}\n`;
  const { id } = await api.leadImports.create({ body: { csv, leadListId: list.id } });
  await eventually(
    'the import',
    async () => (await api.leadImports.read({ id })).status === 'completed' || undefined,
    300_000,
  );
  const draft = {
    name: `Drill ${seed}`,
    subjectTemplate: 'For {{company}}',
    bodyTemplate: 'Hello {{firstName}}, this is message one.',
    timezone: 'UTC',
    activeDays: [...DAYS],
    startTime: '00:00',
    endTime: '23:59',
    assignedMailboxes: mailboxIds.map(String),
    leadListIds: [list.id],
  };
  const campaign = await api.campaigns.create({ body: draft });
  await api.campaigns.start({ id: campaign.id });
  return campaign.id;
}

/** Runs a campaign to its end; kills are spread over its messages. */
export async function runCampaignDrill(
  world: SharedWorld,
  account: Account,
  drill: CampaignDrill,
): Promise<CampaignDrillResult> {
  return followCampaign(world, await startCampaign(account, drill), drill);
}

/** Until its end; kills are spread over its messages. */
export async function followCampaign(
  world: SharedWorld,
  campaignId: number,
  drill: CampaignDrill,
): Promise<CampaignDrillResult> {
  const startedAt = Date.now();
  const random = seededRandom(drill.seed);
  const moments = Array.from({ length: drill.kills }, () =>
    Math.floor(random() * LAST_KILL * drill.recipients),
  ).toSorted((a, b) => a - b);
  const ownerKills = newKills();
  let kills = 0;
  let said = 0;
  for (;;) {
    const now = await progressOf(world, campaignId).catch(() => undefined);
    if (now && now.status !== 'active') break;
    if (Date.now() - startedAt > LIMIT_MS) throw new Error(`it does not end: ${now?.done} done`);
    if (now && now.done - said >= drill.recipients / 20) {
      drill.report(`${now.done} messages after ${Math.round((Date.now() - startedAt) / 1_000)} s`);
      said = now.done;
    }
    if (now && kills < moments.length && now.done >= moments[kills]!) {
      const killed = drill.isAimed
        ? await aimed()
        : await kill(world, VICTIMS[Math.floor(random() * VICTIMS.length)]!);
      kills += 1;
      drill.report(`kill ${kills}: ${killed} after ${now.done} messages`);
    } else await sleep(POLL_MS);
  }
  const seconds = (Date.now() - startedAt) / 1_000;
  const actions = await countActions(world.temporal, `campaign/${campaignId}`);
  const ends = await endsOf(world, campaignId);
  return { campaignId, kills, ownerKills, seconds, actions, ends };

  async function aimed(): Promise<string> {
    const aim = { shard: shardOf(campaignId), point: nextPoint(kills), isSending: true };
    return addHits(ownerKills, await killOwners(world, aim));
  }
}

async function progressOf({ db }: SharedWorld, campaignId: number) {
  const { status } = await db
    .selectFrom('campaigns')
    .select('status')
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const { done } = await db
    .selectFrom('sends')
    .select((eb) => eb.fn.countAll<number>().as('done'))
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return { status, done: Number(done) };
}

async function endsOf({ db }: SharedWorld, campaignId: number): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('recipients')
    .select((eb) => ['status', 'hold_reason', eb.fn.countAll<number>().as('count')])
    .where('campaign_id', '=', campaignId)
    .groupBy(['status', 'hold_reason'])
    .execute();
  return Object.fromEntries(
    rows.map(({ status, hold_reason, count }) => [
      hold_reason === null ? status : `${status} (${hold_reason})`,
      Number(count),
    ]),
  );
}
