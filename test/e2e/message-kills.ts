/** kill -9 of the worker while a placement test sends and looks, and while replies wait and leave. */
import { expect, test } from 'vitest';
import { SEED_ADDRESSES, SEED_HOST, SEED_PASSWORD } from '../../src/sandbox/warmup-seeds.ts';
import { eventually, fundedAccount, newDomain, newName, type Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** One domain and one server. */
const FUNDS_CENTS = 5_000;
const TIMEOUT_MS = 600_000;
const LIMIT_MS = 240_000;
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

/** Resolves once another one is there. */
export async function killWorker(world: SharedWorld): Promise<void> {
  const { pids } = await world.running.read();
  const old = pids['worker'];
  // 0 and -1 would be groups of processes, and undefined none.
  if (!old || old < 2) throw new Error('The world has no worker');
  process.kill(old, 'SIGKILL');
  await eventually('another worker', async () => {
    const { worker } = (await world.running.read()).pids;
    return (worker !== undefined && worker > 1 && worker !== old) || undefined;
  });
}

async function acceptedBy(world: SharedWorld, isIt: (message: Accepted) => boolean) {
  const { mail } = await world.control<{ mail: { accepted: Accepted[] } }>('GET', '/books');
  return mail.accepted.filter(isIt);
}

interface Placement {
  /** `1 inbox` for each seed, or `0 uncertain`: of one that was on the wire nobody knows. */
  outcomes(): Promise<string[]>;
  end(): Promise<void>;
}

/** Once the first of its messages is claimed the worker dies. Its own end, of what is uncertain, takes ten minutes. */
async function placementTest(
  world: SharedWorld,
  account: Account,
  campaignId: number,
): Promise<Placement> {
  const { api } = account;
  for (const address of SEED_ADDRESSES) {
    const login = { address, provider: 'other' as const, password: SEED_PASSWORD };
    const imap = { host: SEED_HOST, port: 993 as const };
    await api.placementSeeds.create({ body: { ...login, imap } });
  }
  const { subjectTemplate: subject } = await api.campaigns.read({ id: campaignId });
  const { id } = await api.placementTests.create({ body: { campaignId } });
  const messages = () =>
    world.db.selectFrom('placement_messages').selectAll().where('test_id', '=', id).execute();
  await eventually('the first message of the test', async () =>
    (await messages()).some((one) => one.claimed_at !== null) ? true : undefined,
  );
  await killWorker(world);
  const accepted = () => acceptedBy(world, (one) => one.subject === subject);
  const seedsNow = async () => {
    const [sent, rows] = [await accepted(), await messages()];
    return rows.map(({ address, state, outcome }) => {
      const copies = sent.filter(({ to }) => to === address).length;
      return { copies, outcome, isLost: state === 'uncertain' && copies === 0 };
    });
  };
  await eventually(
    'a copy of the test',
    async () => ((await seedsNow()).some(({ copies }) => copies > 0) ? true : undefined),
    LIMIT_MS,
  );
  await eventually(
    'a place for each message that was not on the wire',
    async () =>
      (await seedsNow()).every(({ outcome, isLost }) => outcome !== null || isLost) || undefined,
    LIMIT_MS,
  );
  return {
    outcomes: async () =>
      (await seedsNow()).map(({ copies, outcome }) => `${copies} ${outcome ?? 'uncertain'}`),
    async end() {
      const { status } = await api.placementTests.read({ id });
      if (status === 'processing') await api.placementTests.cancel({ id });
    },
  };
}

function expectOnceEach(outcomes: readonly string[]): void {
  expect(outcomes).toHaveLength(SEEDS);
  expect(outcomes.filter((one) => one !== '1 inbox' && one !== '0 uncertain')).toEqual([]);
  // They go one after the other: no more than one was on the wire.
  expect(outcomes.filter((one) => one !== '1 inbox').length).toBeLessThanOrEqual(1);
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
  const copiesNow = () =>
    acceptedBy(
      world,
      ({ headers }) =>
        headers['message-id'] === own && headers['in-reply-to']?.includes(inReplyTo) === true,
    );
  // `sent`: the mailbox's host has it. The recipient's has it a moment later.
  if (end === 'sent') {
    await eventually('the reply at its recipient', async () =>
      (await copiesNow()).length > 0 ? true : undefined,
    );
  }
  const copies = await copiesNow();
  return `${copies.length} ${end}`;
}

export function messageKillTests(world: () => SharedWorld): void {
  test(
    'a placement test and replies that wait, with the worker killed in between: nothing is sent twice or lost',
    { timeout: TIMEOUT_MS },
    async () => {
      const { account, campaignId } = await prepare(world());
      const placement = await placementTest(world(), account, campaignId);
      expectOnceEach(await placement.outcomes());
      expect(await scheduledReply(world(), account, 'while it waits')).toBe('1 sent');
      // Of one that was on the wire nobody knows, and so it says.
      expect(await scheduledReply(world(), account, 'when it leaves')).toMatch(
        /^(1 sent|[01] uncertain)$/,
      );
      // Nor was any sent again meanwhile, while the worker died twice more.
      expectOnceEach(await placement.outcomes());
      await placement.end();
    },
  );
}
