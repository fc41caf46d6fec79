/** Placement tests in seed mailboxes of the sandbox: once to each, wherever the worker dies. Choices 123, 124. */
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  placementTestActivities,
  type PlacementTurn,
} from '../../activities/placement/placement-tests.ts';
import type { Context } from '../../src/context.ts';
import { countRefusedToday } from '../../src/db/mailboxes/refused-logins.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import { readMailboxUsage } from '../../src/db/sending/mailbox-usage.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { SeedProvider } from '../../src/domain/placement/placement.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { SEED_ADDRESSES, SEED_HOST, SEED_PASSWORD } from '../../src/sandbox/warmup-seeds.ts';
import {
  changeSeed,
  createSeed,
  getSeed,
  removeSeed,
} from '../../src/services/placement/placement-seeds.ts';
import {
  cancelPlacementTest,
  getPlacementTest,
  startPlacementTest,
} from '../../src/services/placement/placement-tests.ts';
import { placementTestRows } from '../../src/transactions/placement/placement-tests.ts';
import { addCampaign, addSender } from '../support/campaigns/campaign-world.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const WRONG = 'canary-of-a-seed-2Wz';
const server = (host: string) => ({ host, port: 993, tls: 'tls' as const });

let world: WarmupWorld;
let context: Context;
let userId: string;
let mailboxId: number;
let campaignId: number;

beforeAll(async () => {
  world = await startWarmupWorld({
    CRAWLER_ALLOW_BENCHMARK_RANGE: 'true',
    SEND_MAILBOX_DAILY_LIMIT: '40',
  });
  context = world.context;
  context.startOperation = async () => true;
  context.temporal.workflow.getHandle = (() => ({ signal: async () => undefined })) as never;
});
afterAll(() => world?.close());

/** A new account that has one of the world's mailboxes. */
beforeEach(async () => {
  const { db } = context;
  userId = await addSender(db);
  mailboxId = world.tenants[0]!.mailboxIds[0]!;
  await db
    .updateTable('mailboxes')
    .set({ user_id: userId, next_send_at: null, daily_limit: null })
    .where('id', '=', mailboxId)
    .execute();
  await db.updateTable('placement_messages').set({ claimed_at: null }).execute();
  ({ campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds: [mailboxId] }));
  await setJunk(0);
});

const setJunk = (percent: number) => world.world.control('PUT', '/seeds/junk', { percent });

const addSeed = (
  address: string,
  { provider = 'other' as SeedProvider, password = SEED_PASSWORD, host = SEED_HOST } = {},
) =>
  createSeed(context, userId, {
    address,
    provider,
    password,
    username: address,
    imap: server(host),
  });

async function addSeeds(count: number): Promise<void> {
  for (const address of SEED_ADDRESSES.slice(0, count)) await addSeed(address);
}

const order = async (more: object = {}) => {
  const defaults = { campaignId, step: 0, minInboxPercent: 80, holdOnBadPlacement: false };
  return (await startPlacementTest(context, userId, { ...defaults, ...more })).view.test.id;
};

/** One turn by its activity, as a worker of these means takes it. */
async function turn(testId: number, means: Partial<Context> = {}): Promise<PlacementTurn> {
  const { id: operationId } = (await findLatestOperation(context.db, 'placement_test', testId))!;
  const logger = pino({ level: 'silent' });
  const activities = placementTestActivities({ ...context, ...means, logger });
  const input = { operationId, testId, looks: 0, retryPace: 0.01 };
  const take = (of: typeof input) => activities.takePlacementTurn(of);
  return activityEnvironment().run(take, input) as Promise<PlacementTurn>;
}

/** Turn after turn, then the end, as the workflow does it. */
async function finish(testId: number) {
  await expect.poll(async () => (await turn(testId)).isDone, { timeout: 30_000 }).toBe(true);
  return settled(testId);
}
async function settled(testId: number) {
  await context.db
    .transaction()
    .execute((trx) => placementTestRows.settle(trx, testId, { outcome: 'succeeded' }));
  return viewOf(testId);
}
const viewOf = (testId: number) => getPlacementTest(context, userId, testId);
const outcomesOf = (view: Awaited<ReturnType<typeof viewOf>>) =>
  view.messages.map(({ outcome, error_code: code }) => code ?? outcome);

/** How many messages of the test the seed has, in all folders. */
async function copiesAt(address: string, messageId: string): Promise<number> {
  const login = { host: SEED_HOST, email: address, password: SEED_PASSWORD };
  const imap = await context.mailTransport.openImap(login);
  try {
    let copies = 0;
    for (const { path } of await imap.folders()) {
      const found = await imap.search(path, { name: 'Message-ID', value: messageId });
      copies += found.length;
    }
    return copies;
  } finally {
    await imap.close();
  }
}

const events = async () =>
  (
    await context.db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ type, payload }) => ({ type, payload: payload as Record<string, unknown> }));

describe('a placement test', { timeout: 180_000 }, () => {
  it('finds the real message of the campaign in the inbox, and tells it by provider', async () => {
    const [one, two, three] = SEED_ADDRESSES;
    await addSeed(one!, { provider: 'google' });
    await addSeed(two!, { provider: 'google' });
    await addSeed(three!, { provider: 'yahoo' });
    const id = await order();
    const { test, messages } = await finish(id);
    expect(test).toMatchObject({ status: 'completed', verdict: 'good', inbox_percent: 100 });
    expect(messages.map(({ outcome, folder, state }) => [outcome, folder, state])).toEqual(
      Array(3).fill(['inbox', 'INBOX', 'sent']),
    );
    const done = (await events()).find(({ type }) => type === 'placement_test.completed');
    expect(done!.payload).toMatchObject({
      testId: id,
      campaignId,
      verdict: 'good',
      providers: [
        { provider: 'google', inbox: 2, spam: 0, missing: 0, verdict: 'good' },
        { provider: 'yahoo', inbox: 1, inboxPercent: 100, verdict: 'good' },
      ],
    });
    const login = { host: SEED_HOST, email: one!, password: SEED_PASSWORD };
    const imap = await context.mailTransport.openImap(login);
    await imap.open('INBOX');
    const name = { name: 'Message-ID', value: messages[0]!.message_id };
    const [uid] = await imap.search('INBOX', name);
    const range = { afterUid: uid! - 1, maxBytes: 100_000, batch: 1 };
    let source = '';
    for await (const batch of imap.fetchNew('INBOX', range)) source ||= String(batch[0]!.source);
    await imap.close();
    expect(source).toContain('Subject: Hello P0');
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(source).toContain('1 Main Street, Springfield');
  });

  it('counts toward the day of its mailbox, and uses up no lead', async () => {
    await addSeeds(3);
    await finish(await order());
    const { db } = context;
    const since = new Date(context.clock.now().getTime() - 86_400_000);
    const usage = await readMailboxUsage(db, [mailboxId], { since, most: 50 });
    expect(usage.get(mailboxId)!.cold).toHaveLength(3);
    const { next_send_at: next } = await db
      .selectFrom('mailboxes')
      .select('next_send_at')
      .where('id', '=', mailboxId)
      .executeTakeFirstOrThrow();
    expect(next!.getTime()).toBeGreaterThan(context.clock.now().getTime());
    const recipients = await db
      .selectFrom('recipients')
      .select(['status', 'step'])
      .where('campaign_id', '=', campaignId)
      .execute();
    expect(recipients).toEqual(Array(2).fill({ status: 'queued', step: 0 }));
    const sends = await db
      .selectFrom('sends')
      .select('id')
      .where('campaign_id', '=', campaignId)
      .execute();
    expect(sends).toEqual([]);
  });

  it('sends no more than its mailbox has left of the day', async () => {
    await addSeeds(3);
    await context.db
      .updateTable('mailboxes')
      .set({ daily_limit: 2 })
      .where('id', '=', mailboxId)
      .execute();
    const view = await finish(await order());
    expect(outcomesOf(view)).toEqual(['inbox', 'inbox', 'MAILBOX_LIMIT']);
    expect(view.test.verdict).toBe('good');
  });

  it('sends nothing from a mailbox that campaigns may not send from', async () => {
    await addSeeds(1);
    const { db } = context;
    const setFailing = (reason: string | null) =>
      db
        .updateTable('mailboxes')
        .set({ failing_reason: reason })
        .where('id', '=', mailboxId)
        .execute();
    const failing = await order({ mailboxId });
    await setFailing('dns');
    expect(outcomesOf(await finish(failing))).toEqual(['MAILBOX_HELD']);
    await expect(order({ mailboxId })).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(order()).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_READY' });
    await setFailing(null);
    const paused = await order();
    const now = context.clock.now();
    const pause = { user_id: userId, scope: 'mailbox', subject: String(mailboxId) } as const;
    const until = new Date(now.getTime() + 3_600_000);
    const counts = { letters: 9, rejected: 9, words: 'spam', since: now, until };
    await db
      .insertInto('sending_pauses')
      .values({ ...pause, ...counts })
      .execute();
    expect(outcomesOf(await finish(paused))).toEqual(['MAILBOX_HELD']);
    await expect(order({ mailboxId })).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await db.deleteFrom('sending_pauses').where('user_id', '=', userId).execute();
    const config = { ...context.config, SEND_DOMAIN_DAILY_LIMIT: 1 };
    await finish(await order());
    const limited = await order();
    await turn(limited, { config });
    expect(outcomesOf(await settled(limited))).toEqual(['MAILBOX_LIMIT']);
  });

  it('is bad in spam, and holds its campaign only where the order says so', async () => {
    await addSeeds(2);
    await setJunk(100);
    const statusOf = () =>
      context.db
        .selectFrom('campaigns')
        .select(['status', 'pause_reason', 'warning'])
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow();
    const mild = await finish(await order());
    expect(mild.test).toMatchObject({ verdict: 'bad', inbox_percent: 0, campaign_held: false });
    expect(await statusOf()).toMatchObject({ status: 'active' });
    const { test } = await finish(await order({ holdOnBadPlacement: true }));
    expect(test).toMatchObject({ verdict: 'bad', campaign_held: true });
    const held = await statusOf();
    expect(held).toMatchObject({ status: 'paused', pause_reason: 'bad_placement' });
    expect(held.warning).toContain(`Placement test ${test.id}`);
    const told = await events();
    expect(told.map(({ type }) => type)).toEqual([
      'placement_test.completed',
      'campaign.paused',
      'placement_test.completed',
    ]);
    expect(told[1]!.payload).toMatchObject({ campaignId, pauseReason: 'bad_placement' });
  });

  it('says missing for what is in no folder in time', async () => {
    await addSeeds(1);
    const id = await order();
    const blind = withImap(context.mailTransport, () => ({ search: async () => [] }));
    const mailTransport = { ...context.mailTransport, ...blind };
    expect(await turn(id, { mailTransport })).toMatchObject({ isDone: false });
    const clock = { now: () => new Date(context.clock.now().getTime() + 600_000) };
    expect(await turn(id, { mailTransport, clock })).toMatchObject({ isDone: true });
    const view = await settled(id);
    expect(outcomesOf(view)).toEqual(['missing']);
    expect(view.test).toMatchObject({ verdict: 'bad', inbox_percent: 0 });
  });
});

/** Turns of the whole time, the last one with `last`, while seeds hide what they have. */
async function lookedInVain(last: Partial<ImapSession>) {
  await addSeeds(1);
  const id = await order({ holdOnBadPlacement: true });
  const blind = withImap(context.mailTransport, () => ({ search: async () => [] }));
  await turn(id, { mailTransport: { ...context.mailTransport, ...blind } });
  const failing = withImap(context.mailTransport, () => last);
  const mailTransport = { ...context.mailTransport, ...failing };
  const clock = { now: () => new Date(context.clock.now().getTime() + 600_000) };
  expect(await turn(id, { mailTransport, clock })).toMatchObject({ isDone: true });
  return settled(id);
}

const throwing = (kind: 'rejected' | 'unavailable') => async (): Promise<never> => {
  throw new ProviderError(kind, 'NO', { provider: 'imap' });
};

describe('a seed that cannot be read in the end', { timeout: 180_000 }, () => {
  it.each<[string, Partial<ImapSession>]>([
    ['its inbox is not opened', { open: throwing('rejected') }],
    ['it is not searched', { search: throwing('rejected') }],
    ['its connection is lost', { folders: throwing('unavailable') }],
  ])('%s: its message failed, is not missing, and holds no campaign', async (_what, last) => {
    const view = await lookedInVain(last);
    expect(outcomesOf(view)).toEqual(['HOST_UNREACHABLE']);
    expect(view.test).toMatchObject({ verdict: 'unknown', campaign_held: false });
  });
});

describe('a seed that answers too slowly', { timeout: 180_000 }, () => {
  it('is given up, closed, and asked again; in the end its message has failed', async () => {
    await addSeeds(1);
    const id = await order();
    const blind = withImap(context.mailTransport, () => ({ search: async () => [] }));
    await turn(id, { mailTransport: { ...context.mailTransport, ...blind } });
    let closed = 0;
    const slow = withImap(context.mailTransport, (imap) => ({
      search: () => new Promise<never>(() => undefined),
      async close() {
        closed += 1;
        await imap.close();
      },
    }));
    const mailTransport = { ...context.mailTransport, ...slow };
    const config = { ...context.config, PLACEMENT_LOOK_SECONDS: 30 };
    expect(await turn(id, { mailTransport, config })).toMatchObject({ isDone: false });
    await expect.poll(() => closed).toBe(1);
    const clock = { now: () => new Date(context.clock.now().getTime() + 600_000) };
    expect(await turn(id, { mailTransport, config, clock })).toMatchObject({ isDone: true });
    expect(outcomesOf(await settled(id))).toEqual(['HOST_UNREACHABLE']);
  });
});

const refusing = async (): Promise<never> => {
  throw new ProviderError('rejected', 'no', { provider: 'mail' });
};

describe('a mailbox that stops sending meanwhile', { timeout: 180_000 }, () => {
  it('ends a test of which nothing is out', async () => {
    await addSeeds(1);
    const id = await order();
    const mailTransport = { ...context.mailTransport, openSubmission: refusing };
    await expect(turn(id, { mailTransport })).rejects.toThrow('refuses its login');
  });

  it('fails what waits of a test, and what is out is still looked for', async () => {
    await addSeeds(2);
    const id = await order();
    // The first is sent, the server defers the second.
    let sent = 0;
    const deferring = withSubmission(context.mailTransport, (session) => ({
      async send(...of) {
        sent += 1;
        if (sent === 1) return session.send(...of);
        throw new ProviderError('rate_limited', 'later', { provider: 'smtp', reply: '451 later' });
      },
    }));
    await turn(id, { mailTransport: { ...context.mailTransport, ...deferring } });
    await turn(id, { mailTransport: { ...context.mailTransport, openSubmission: refusing } });
    const view = await finish(id);
    expect(outcomesOf(view)).toEqual(['inbox', 'LOGIN_REFUSED']);
    expect(view.test).toMatchObject({ status: 'completed', verdict: 'good' });
  });
});

describe('a seed', { timeout: 180_000 }, () => {
  it('that refuses its login, or is not public, gets no message; nothing tells its password', async () => {
    const [one, two, three] = SEED_ADDRESSES;
    const refused = await addSeed(one!, { password: WRONG });
    await addSeed(two!, { host: '10.0.0.7' });
    await addSeed(three!);
    const view = await finish(await order());
    expect(outcomesOf(view)).toEqual(['LOGIN_REFUSED', 'HOST_FORBIDDEN', 'inbox']);
    expect(view.messages.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'sent']);
    expect(await getSeed(context, userId, refused.id)).toMatchObject({
      error_code: 'LOGIN_REFUSED',
    });
    expect(JSON.stringify(view)).not.toContain(WRONG);
    expect(view.test.verdict).toBe('good');
  });

  it('counts among the refused logins of the account once for a password, and not for one that has worked', async () => {
    const [one, two] = SEED_ADDRESSES;
    const counted = () => countRefusedToday(context.db, userId);
    const proven = await addSeed(one!);
    await finish(await order());
    const mailTransport = { ...context.mailTransport, openImap: refusing };
    for (let n = 0; n < 2; n += 1) await turn(await order(), { mailTransport });
    const { error_code: code } = await getSeed(context, userId, proven.id);
    expect([code, await counted()]).toEqual(['LOGIN_REFUSED', 0]);
    const guessed = await addSeed(two!, { password: WRONG });
    await finish(await order());
    expect(await counted()).toBe(1);
    await finish(await order());
    expect(await counted()).toBe(1);
    const another = { password: `${WRONG}-2` };
    await changeSeed(context, { userId, id: guessed.id }, another);
    await finish(await order());
    expect(await counted()).toBe(2);
  });

  it('on the suppression list gets no message', async () => {
    await addSeeds(1);
    await context.db
      .insertInto('suppressions')
      .values({
        user_id: userId,
        kind: 'email',
        value: SEED_ADDRESSES[0]!,
        reason: 'manual',
        note: null,
      })
      .execute();
    const view = await finish(await order());
    expect(outcomesOf(view)).toEqual(['RECIPIENT_SUPPRESSED']);
    expect(view.test.verdict).toBe('unknown');
  });

  it('that never showed a message gets no second one, also when it is made anew', async () => {
    await addSeeds(1);
    const id = await order();
    const blind = withImap(context.mailTransport, () => ({ search: async () => [] }));
    const mailTransport = { ...context.mailTransport, ...blind };
    await turn(id, { mailTransport });
    // While the first is looked for, the next one waits.
    const next = await order();
    await turn(next);
    expect(await viewOf(next)).toMatchObject({ messages: [{ state: 'waiting', outcome: null }] });
    const clock = { now: () => new Date(context.clock.now().getTime() + 600_000) };
    await turn(id, { mailTransport, clock });
    await settled(id);
    expect(outcomesOf(await finish(next))).toEqual(['SEED_SILENT']);
    const { messages } = await viewOf(next);
    await removeSeed(context, userId, messages[0]!.seed_id!);
    await addSeeds(1);
    expect(outcomesOf(await finish(await order()))).toEqual(['SEED_SILENT']);
  });

  it('whose first test was cancelled gets the next message once it shows the first', async () => {
    await addSeeds(2);
    const id = await order();
    await turn(id, blindly());
    await cancelPlacementTest(context, userId, id);
    const next = await order();
    // The first may be on its way: the second one waits for it.
    expect(await turn(next, blindly())).toMatchObject({ isDone: false });
    expect((await viewOf(next)).messages.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(outcomesOf(await finish(next))).toEqual(['inbox', 'inbox']);
    const { test, messages } = await viewOf(id);
    expect([test.status, ...messages.map(({ outcome }) => outcome)]).toEqual([
      'cancelled',
      null,
      null,
    ]);
    expect(outcomesOf(await finish(await order()))).toEqual(['inbox', 'inbox']);
  });

  it('that could not be read in its first test is read in the next one', async () => {
    await addSeeds(1);
    const id = await order();
    await turn(id, blindly());
    const openImap = throwing('unavailable');
    const mailTransport = { ...context.mailTransport, openImap };
    await turn(id, { mailTransport, clock: later(600_000) });
    expect(outcomesOf(await settled(id))).toEqual(['HOST_UNREACHABLE']);
    expect(outcomesOf(await finish(await order()))).toEqual(['inbox']);
  });

  it('gets no second message by cancelled tests while it shows nothing', async () => {
    await addSeeds(1);
    const id = await order();
    await turn(id, blindly());
    await cancelPlacementTest(context, userId, id);
    for (let n = 0; n < 2; n += 1) {
      const next = await order();
      await turn(next, blindly());
      // Half of the time is over: what has not gone does not go.
      await turn(next, { ...blindly(), clock: later(400_000) });
      expect(outcomesOf(await settled(next))).toEqual(['SEED_SILENT']);
      expect((await viewOf(next)).messages).toMatchObject([{ claimed_at: null }]);
    }
  });

  it('that is deleted meanwhile fails its message', async () => {
    const { id } = await addSeed(SEED_ADDRESSES[0]!);
    const testId = await order();
    await removeSeed(context, userId, id);
    expect(outcomesOf(await finish(testId))).toEqual(['SEED_DELETED']);
  });
});

describe('a test that is cancelled', { timeout: 180_000 }, () => {
  it('sends nothing any more, and has no verdict', async () => {
    await addSeeds(2);
    const id = await order();
    await cancelPlacementTest(context, userId, id);
    expect(await turn(id)).toMatchObject({ state: 'over', isDone: false });
    const { test, messages } = await viewOf(id);
    expect(test).toMatchObject({ status: 'cancelled', verdict: null });
    expect(messages.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(await cancelPlacementTest(context, userId, id)).toMatchObject({
      test: { status: 'cancelled' },
    });
  });
});

/** Seeds that can be read, and show nothing. */
const blindly = (): Partial<Context> => {
  const blind = withImap(context.mailTransport, () => ({ search: async () => [] }));
  return { mailTransport: { ...context.mailTransport, ...blind } };
};

const later = (ms: number) => ({ now: () => new Date(context.clock.now().getTime() + ms) });

const withImap = (
  mail: MailTransport,
  change: (imap: ImapSession) => Partial<ImapSession>,
): Partial<MailTransport> => ({
  async openImap(access) {
    const imap = await mail.openImap(access);
    return { ...imap, ...change(imap) };
  },
});

type Sending = Awaited<ReturnType<MailTransport['openSubmission']>>;

const withSubmission = (
  mail: MailTransport,
  change: (session: Sending) => Partial<Sending>,
): Partial<MailTransport> => ({
  async openSubmission(access) {
    const session = await mail.openSubmission(access);
    return {
      send: (...of) => session.send(...of),
      isUsable: () => session.isUsable(),
      close: () => session.close(),
      ...change(session),
    };
  },
});

/** The last thing that a worker does before it dies, and what the message is found as in the end. */
const DEATHS: [
  string,
  string,
  (mail: MailTransport, die: () => never) => Partial<MailTransport>,
][] = [
  ['before the seed is asked', 'inbox', (_mail, die) => ({ checkImap: async () => die() })],
  ['before the login', 'inbox', (_mail, die) => ({ openSubmission: async () => die() })],
  [
    'once the message is claimed',
    'inbox',
    (mail, die) => withSubmission(mail, () => ({ send: async () => die() })),
  ],
  [
    'before the text',
    'DELIVERY_UNCERTAIN',
    (mail, die) =>
      withSubmission(mail, () => ({
        async send(_message, beforeText) {
          await beforeText();
          return die();
        },
      })),
  ],
  [
    'after the text',
    'inbox',
    (mail, die) =>
      withSubmission(mail, (session) => ({
        async send(...of) {
          await session.send(...of);
          return die();
        },
      })),
  ],
  [
    'after it was refused',
    'MESSAGE_REFUSED',
    (mail) =>
      withSubmission(mail, () => ({
        async send() {
          throw new ProviderError('rejected', 'refused', { provider: 'smtp', reply: '550 no' });
        },
      })),
  ],
  [
    'while it looks',
    'inbox',
    (mail, die) => withImap(mail, () => ({ folders: async () => die() })),
  ],
];

/** Dies once a change to `value` of any row is committed. */
function diesOnce(value: string, die: () => never): KyselyPlugin {
  const changes = new WeakSet<object>();
  return {
    transformQuery({ node, queryId }) {
      const isChange = node.kind === 'UpdateQueryNode';
      if (isChange && JSON.stringify(node.updates).includes(`"${value}"`)) changes.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      return changes.has(queryId) ? die() : result;
    },
  };
}

describe('a worker that dies', { timeout: 180_000 }, () => {
  it.each(DEATHS)('%s: the message ends as %s, and is sent once', async (_at, found, dying) => {
    await addSeeds(1);
    const id = await order();
    const die = (): never => {
      throw Object.assign(new Error('the process is gone'), { code: 'ECONNRESET' });
    };
    const mailTransport = { ...context.mailTransport, ...dying(context.mailTransport, die) };
    const db = context.db.withPlugin(diesOnce('refused', die));
    await expect(turn(id, { mailTransport, db })).rejects.toThrow('the process is gone');
    await turn(id);
    // What was not handed over is looked for until the end.
    const late = { now: () => new Date(context.clock.now().getTime() + 600_000) };
    if (found === 'DELIVERY_UNCERTAIN') await turn(id, { clock: late });
    const view = await finish(id);
    expect(outcomesOf(view)).toEqual([found]);
    const copies = await copiesAt(SEED_ADDRESSES[0]!, view.messages[0]!.message_id);
    expect(copies).toBe(found === 'inbox' ? 1 : 0);
  });
});
