/** kill -9 of the worker while a placement test sends and looks, and while replies wait and leave. */
import { expect, test } from 'vitest';
import { SEED_ADDRESSES, SEED_HOST, SEED_PASSWORD } from '../../src/sandbox/warmup-seeds.ts';
import { eventually, fundedAccount, newDomain, newName, type Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** One domain and one server. */
const FUNDS_CENTS = 5_000;
const TIMEOUT_MS = 300_000;
const LIMIT_MS = 120_000;
const SEEDS = SEED_ADDRESSES.length;
/** Long enough to be killed in, short enough to be waited for. */
const SCHEDULED_MS = 8_000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

interface Accepted {
  to: string;
  subject: string;
  headers: Record<string, string>;
}

/** A campaign to somebody who answers, from a mailbox of its own. */
async function prepare(world: SharedWorld): Promise<{ account: Account; campaignId: number }> {
  const account = await fundedAccount(world, 'message-kills', FUNDS_CENTS);
  const { api } = account;
  const sender = { senderName: 'Ann King', postalAddress: '1 Test Street, Springfield' };
  await api.account.update({ body: sender });
  const { id: clusterId, domain } = await account.order(newDomain('messages'));
  expect((await account.settled(clusterId)).status).toBe('active');
  const { id } = await api.mailboxes.create({ clusterId, body: { email: `ann@${domain}` } });
  await api.mailboxes.updateLimits({ id, body: { minGapSeconds: 0, hourlyLimit: 50 } });
  const email = `reply-ada@${newName('answers')}.test`;
  const people = [{ firstName: 'Ada', lastName: 'King', email }];
  const { leads } = await api.leads.create({ body: { company_name: 'Answers', people } });
  const mark = newName('mark');
  const { id: campaignId } = await api.campaigns.create({
    body: {
      name: mark,
      subjectTemplate: `About ${mark}`,
      bodyTemplate: 'Hello {{firstName}}, who looks after your tools?',
      timezone: 'UTC',
      activeDays: [...DAYS],
      startTime: '00:00',
      endTime: '23:59',
      assignedMailboxes: [String(id)],
    },
  });
  await api.campaignLeads.add({ id: campaignId, body: { leadIds: leads.map((one) => one.id) } });
  await api.campaigns.start({ id: campaignId });
  return { account, campaignId };
}

async function killWorker(world: SharedWorld): Promise<void> {
  const { pids } = await world.running.read();
  process.kill(pids['worker']!, 'SIGKILL');
  await eventually('another worker', async () => {
    const now = await world.running.read();
    return now.pids['worker'] !== pids['worker'] || undefined;
  });
}

async function acceptedBy(world: SharedWorld, isIt: (message: Accepted) => boolean) {
  const { mail } = await world.control<{ mail: { accepted: Accepted[] } }>('GET', '/books');
  return mail.accepted.filter(isIt);
}

/** Once the first of its messages is on the way the worker dies. */
async function placementTest(world: SharedWorld, account: Account, campaignId: number) {
  const { api } = account;
  for (const address of SEED_ADDRESSES) {
    const login = { address, provider: 'other' as const, password: SEED_PASSWORD };
    const imap = { host: SEED_HOST, port: 993 as const };
    await api.placementSeeds.create({ body: { ...login, imap } });
  }
  const { subjectTemplate: subject } = await api.campaigns.read({ id: campaignId });
  const { id } = await api.placementTests.create({ body: { campaignId } });
  await eventually('the first message of the test', async () => {
    const claimed = world.db.selectFrom('placement_messages').select('id');
    const own = claimed.where('test_id', '=', id).where('claimed_at', 'is not', null);
    return (await own.execute()).length > 0 || undefined;
  });
  await killWorker(world);
  const copiesOf = async (address: string) =>
    (await acceptedBy(world, (one) => one.to === address && one.subject === subject)).length;
  // What died before its text was handed over is looked for to the end of the time, which is not waited for here.
  const outcomes = await eventually(
    'a place for each message that has arrived',
    async () => {
      const { seeds } = await api.placementTests.read({ id });
      const each = await Promise.all(
        seeds.map(async (seed) => ({ ...seed, copies: await copiesOf(seed.address) })),
      );
      return each.every(({ copies, outcome }) => copies === 0 || outcome !== null)
        ? each.map(({ copies, outcome }) => `${copies} ${outcome}`)
        : undefined;
    },
    LIMIT_MS,
  );
  expect(outcomes).toHaveLength(SEEDS);
  expect(outcomes.filter((one) => !/^(1 inbox|0 null)$/.test(one))).toEqual([]);
  expect(outcomes).toContain('1 inbox');
  const { status } = await api.placementTests.read({ id });
  if (status === 'processing') await api.placementTests.cancel({ id });
}

/** A reply that waits for its time; the worker dies at `moment`. What became of it, and how often it arrived. */
async function scheduledReply(
  world: SharedWorld,
  account: Account,
  moment: 'while it waits' | 'when it leaves',
): Promise<string> {
  const { api } = account;
  const received = await eventually(
    'the answer',
    async () => {
      const { items } = await api.inbox.list({ direction: 'inbound', limit: 100 });
      return items.find(({ kind }) => kind === 'reply');
    },
    LIMIT_MS,
  );
  const { message_id: inReplyTo } = await api.inbox.read({ id: received.id });
  const text = newName('text');
  const sendAt = new Date(Date.now() + SCHEDULED_MS).toISOString();
  const { id } = await api.inbox.reply({ id: received.id, body: { body: text, sendAt } });
  const stateOf = async () => (await api.inbox.read({ id })).delivery?.state;
  expect(await stateOf()).toBe('scheduled');
  if (moment === 'when it leaves') {
    const leaves = async () => (await stateOf()) !== 'scheduled' || undefined;
    await eventually('the time of the reply', leaves);
  }
  await killWorker(world);
  const end = await eventually(
    'the end of the reply',
    async () => {
      const state = await stateOf();
      return ['sent', 'failed', 'uncertain'].includes(state!) ? state : undefined;
    },
    LIMIT_MS,
  );
  const { message_id: own } = await api.inbox.read({ id });
  const copies = await acceptedBy(
    world,
    ({ headers }) =>
      headers['message-id'] === own && headers['in-reply-to']?.includes(inReplyTo) === true,
  );
  return `${copies.length} ${end}`;
}

export function messageKillTests(world: () => SharedWorld): void {
  test(
    'a placement test and replies that wait, with the worker killed in between: nothing is sent twice or lost',
    { timeout: TIMEOUT_MS },
    async () => {
      const { account, campaignId } = await prepare(world());
      await placementTest(world(), account, campaignId);
      expect(await scheduledReply(world(), account, 'while it waits')).toBe('1 sent');
      // Of one that was on the wire nobody knows, and so it says.
      expect(await scheduledReply(world(), account, 'when it leaves')).toMatch(
        /^(1 sent|[01] uncertain)$/,
      );
    },
  );
}
