/** The result for each of a campaign's recipients, by the exchangers' records and by ours. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedWorld } from '../e2e/shared-world.ts';
import type { CampaignDrill, CampaignDrillResult } from './campaign-drill.ts';

/** The hosts' queues wait at most a minute between two attempts; then the inbox is read. */
const DELIVERY_MS = 150_000;

interface MailRecords {
  mail: {
    accepted: { to: string; messageId: string }[];
    bounced: { to: string; code: number }[];
  };
}

/** Differences between the exchangers' records and ours; empty when there are none. */
export async function campaignProblems(
  world: SharedWorld,
  drill: CampaignDrill,
  { campaignId }: CampaignDrillResult,
): Promise<string[]> {
  const sent = (await recipientsOf(world, campaignId)).filter(({ state }) => state === 'sent');
  const addresses = sent.map(({ email }) => email!);
  const arrived = await arrivals(world, addresses);
  const rows = await whenToldOf(world, campaignId, arrived);
  const problems: string[] = [];
  if (rows.length !== drill.recipients) problems.push(`${rows.length} recipients or sends`);
  for (const { email, status, hold_reason, state } of rows) {
    const messages = arrived.accepted.get(email!) ?? 0;
    const what = `${email} (${status}, ${hold_reason}, ${state})`;
    if (messages > 1) problems.push(`${what} got ${messages} messages`);
    if (status === 'queued' || status === 'in_progress') problems.push(`${what} is open`);
    if (status === 'failed' && hold_reason === null) problems.push(`${what} is not explained`);
    if (state === 'sent' && messages === 0 && !arrived.bounced.has(email!)) {
      problems.push(`${what} got nothing`);
    }
    if (state === null && hold_reason === null) problems.push(`${what} was never written to`);
    const end = resultOf(email!, arrived);
    if (end !== undefined && status !== end) problems.push(`${what} is not ${end}`);
  }
  return problems;
}

const recipientsOf = ({ db }: SharedWorld, campaignId: number) =>
  db
    .selectFrom('recipients')
    .innerJoin('leads', 'leads.id', 'recipients.lead_id')
    .leftJoin('sends', (join) =>
      join
        .onRef('sends.campaign_id', '=', 'recipients.campaign_id')
        .onRef('sends.lead_id', '=', 'recipients.lead_id'),
    )
    .select(['leads.email', 'recipients.status', 'recipients.hold_reason', 'sends.state'])
    .where('recipients.campaign_id', '=', campaignId)
    .execute();

interface Arrived {
  accepted: ReadonlyMap<string, number>;
  /** Permanently refused. */
  bounced: ReadonlySet<string>;
}

/**
 * The result for a recipient by the exchangers' records. A message that was answered, or that bounced,
 * was certainly sent, whatever was known before: `uncertain` is then a problem.
 */
const resultOf = (
  email: string,
  { accepted, bounced }: Arrived,
): 'replied' | 'bounced' | undefined => {
  if (bounced.has(email)) return 'bounced';
  return accepted.has(email) && email.startsWith('reply-') ? 'replied' : undefined;
};

/** The recipients, as soon as all answers and bounces were read, or when no more come. */
async function whenToldOf(world: SharedWorld, campaignId: number, arrived: Arrived) {
  const deadline = Date.now() + DELIVERY_MS;
  for (;;) {
    const rows = await recipientsOf(world, campaignId);
    const isTold = ({ email, status }: (typeof rows)[number]) =>
      [undefined, status].includes(resultOf(email!, arrived));
    if (rows.every(isTold) || Date.now() > deadline) return rows;
    await sleep(1_000);
  }
}

/** Messages by recipient, as soon as all of `sent` have arrived, or when no more come. */
async function arrivals(world: SharedWorld, sent: readonly string[]): Promise<Arrived> {
  const read = async () => {
    const { mail } = await world.control<MailRecords>('GET', '/books');
    const bounced = new Set(mail.bounced.filter(({ code }) => code >= 500).map(({ to }) => to));
    const accepted = new Map<string, number>();
    for (const { to } of mail.accepted) accepted.set(to, (accepted.get(to) ?? 0) + 1);
    return { accepted, bounced };
  };
  const deadline = Date.now() + DELIVERY_MS;
  for (;;) {
    const now = await read();
    const missing = sent.filter((to) => !now.accepted.has(to) && !now.bounced.has(to));
    if (missing.length === 0 || Date.now() > deadline) return now;
    await sleep(2_000);
  }
}
