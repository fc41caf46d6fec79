/** Subsequences know leads with one address as one person, whichever of them is written to. Choices 53, 116. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginDueStarts } from '../../activities/campaigns/due-starts.ts';
import type { Config } from '../../src/config.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { answerTo, type Answer } from '../support/campaigns/answers.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

const NOT_NOW = 'Not right now, but please check back in March.';
const NO = 'No thanks, we already have a supplier and are happy with them.';
const DOUBTFUL = { text: 'Hmm.', headers: { 'Auto-Submitted': 'auto-replied' }, minutesAgo: 1 };
const EMAIL = 'ann@x.example';
const DAY_MS = 86_400_000;

let users: CampaignUsers;
let ann: CampaignUser;
/** One person: of a company in a list, of another one in another list, and by themselves. */
let leads: [number, number, number];
/** Each is sent to the lead of its place. */
let sources: [number, number, number];
/** Who says `not_now` to any other campaign enters it two days later. */
let next: number;

beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  // The rules are made before the answers come.
  users.clock.at = new Date(Date.now() - 3 * 3_600_000);
  ann = await users.newUser();
  leads = [await ofCompany('Acme', 'Spring'), await ofCompany('Globex', 'Autumn'), await alone()];
  const assignedMailboxes = await ann.mailboxes(2);
  const daily = { activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] };
  const window = { ...daily, startTime: '00:00', endTime: '23:59' };
  const create = async (more: object): Promise<number> =>
    (await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...window, assignedMailboxes, ...more }))
      .id;
  sources = [await create({}), await create({}), await create({})];
  for (const [at, id] of sources.entries()) await add(id, [leads[at]!]);
  next = await create({ startsOn: { interest: ['not_now'], afterDays: 2 } });
  await ann.ok('POST', `/v1/campaigns/${next}/start`);
});

const person = { firstName: 'Ann', lastName: 'Lee', email: EMAIL };
async function ofCompany(company_name: string, name: string): Promise<number> {
  const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name });
  const body = { company_name, leadListId, people: [person] };
  return (await ann.ok('POST', '/v1/leads', body)).leads[0].id;
}
async function alone(): Promise<number> {
  const own = { personFirstName: 'A.', personLastName: 'Lee', personEmail: 'other@x.example' };
  const { id } = (await ann.ok('POST', '/v1/leads', own)).leads[0];
  await ann.ok('PATCH', `/v1/leads/${id}`, { personEmail: EMAIL.toUpperCase() });
  return id;
}

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
} as Config;
const db = () => users.database.db;
const add = (id: number, leadIds: number[]) =>
  ann.call('POST', `/v1/campaigns/${id}/leads`, { leadIds });
/** To the message that the campaign of the place has sent to the lead of the place. */
const answers = (at: 0 | 1 | 2, answer: Answer = {}) =>
  answerTo(db(), { campaignId: sources[at], leadId: leads[at], text: NOT_NOW, ...answer });
/** Three days more than now, in which the answers have come. */
const pass = () => void (users.clock.at = new Date(Date.now() + 3 * DAY_MS));
const begin = () => beginDueStarts({ ...users.api.context, clock: { now: () => users.clock.at } });
const startsOf = async (status: string) =>
  (await ann.ok('GET', `/v1/campaigns/${next}/pending-starts?status=${status}`)).map(
    (one: { leadId: number; cancelReason: string | null; holdReason: string | null }) =>
      [one.leadId, one.cancelReason ?? one.holdReason] as const,
  );
/** Whom the subsequence writes to now. */
const claim = async () => {
  const request = { campaignId: next, claimedBy: randomUUID(), now: users.clock.at, most: 50 };
  const work = await db()
    .transaction()
    .execute((trx) => claimMessages(trx, config, request));
  return work.messages.map(({ leadId }) => leadId);
};
const recipient = (leadId: number) => ann.ok('GET', `/v1/campaigns/${next}/leads/${leadId}`);
const decide = async (kind: string) => {
  const { items } = await ann.ok('GET', '/v1/inbox?kind=needs_review');
  await ann.ok('PATCH', `/v1/inbox/${items[0].id}`, { kind });
};
const moves = (leadId: number, personEmail: string) =>
  ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail });
/** What comes of the message to the lead of the place. */
async function happens(at: 0 | 1 | 2, kind: 'unsubscribed' | 'bounced' | 'complained') {
  const { id } = await db()
    .selectFrom('sends')
    .select('id')
    .where('campaign_id', '=', sources[at])
    .executeTakeFirstOrThrow();
  await db()
    .transaction()
    .execute((trx) => recordSendOutcome(trx, id, { kind, at: users.clock.at }));
}

describe('a person with several leads', () => {
  it('enters once by answers to several campaigns, as the lead that has answered last', async () => {
    await answers(0, { minutesAgo: 50 });
    await answers(1, { minutesAgo: 40 });
    await answers(2, { minutesAgo: 30 });
    expect(await startsOf('pending')).toEqual([[leads[2], null]]);
    expect(await startsOf('cancelled')).toEqual([
      [leads[0], 'answered_again'],
      [leads[1], 'answered_again'],
    ]);
    pass();
    await Promise.all([begin(), begin()]);
    expect(await claim()).toEqual([leads[2]]);
  });

  it('does not enter again as another lead', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    expect(await claim()).toEqual([leads[0]]);
    await answers(1, { minutesAgo: 5 });
    expect(await recipient(leads[0])).toMatchObject({ status: 'replied', nextSendAt: null });
    expect(await startsOf('pending')).toEqual([]);
    const { stats } = await ann.ok('GET', `/v1/campaigns/${next}`);
    expect(stats.pendingStarts).toBe(0);
    await begin();
    expect(await startsOf('cancelled')).toEqual([[leads[1], 'duplicate_address']]);
    expect(await claim()).toEqual([]);
  });

  it('does not enter again as another lead by a correction either', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, { text: NO, minutesAgo: 5 });
    const { items } = await ann.ok('GET', '/v1/inbox?interest=not_interested');
    const correct = (interest: string) => ann.ok('PATCH', `/v1/inbox/${items[0].id}`, { interest });
    for (const interest of ['not_now', 'not_now', 'meeting', 'not_now']) await correct(interest);
    expect(await startsOf('pending')).toEqual([]);
    expect(await startsOf('cancelled')).toEqual([[leads[1], 'duplicate_address']]);
    expect(await startsOf('started')).toEqual([[leads[0], null]]);
  });

  it('is written to once where another lead was added by hand, before or after', async () => {
    await add(next, [leads[1]]);
    await answers(0);
    pass();
    await begin();
    expect(await startsOf('cancelled')).toEqual([[leads[0], 'duplicate_address']]);
    const { data } = (await add(next, [leads[2], leads[0]])).body;
    expect(data).toMatchObject({ added: 0, skippedReasons: { duplicate_address: 2 } });
    expect(await claim()).toEqual([leads[1]]);
  });

  it.each(['removed', 'deleted'] as const)(
    'is not written to again after the lead that was written to is %s',
    async (how) => {
      await answers(0, { minutesAgo: 50 });
      pass();
      await begin();
      expect(await claim()).toEqual([leads[0]]);
      await db()
        .updateTable('sends')
        .set({ state: 'sent', sent_at: users.clock.at })
        .where('campaign_id', '=', next)
        .execute();
      const of = how === 'removed' ? `/v1/campaigns/${next}/leads` : '/v1/leads';
      await ann.ok('DELETE', `${of}/${leads[0]}`);
      await answers(1, { minutesAgo: 5 });
      await begin();
      expect(await startsOf('cancelled')).toEqual([
        [leads[1], how === 'removed' ? 'duplicate_address' : 'already_contacted'],
      ]);
      expect(await claim()).toEqual([]);
    },
  );

  it('has answered, whichever lead was written to: nothing begins, and what has begun ends', async () => {
    await answers(0, { minutesAgo: 50 });
    await answers(1, { text: NO, minutesAgo: 40 });
    expect(await startsOf('pending')).toEqual([]);
    await answers(2, { minutesAgo: 30 });
    pass();
    await begin();
    expect(await startsOf('started')).toEqual([[leads[2], null]]);
    await answers(1, { text: NO, minutesAgo: 5 });
    expect(await recipient(leads[2])).toMatchObject({ status: 'replied', nextSendAt: null });
    expect(await claim()).toEqual([]);
  });

  it.each(['unsubscribed', 'bounced', 'complained'] as const)(
    'has %s by the message to another lead: nothing begins, and nothing more is sent',
    async (kind) => {
      await answers(0, { minutesAgo: 50 });
      await answers(1, { text: 'Hello?', headers: {}, minutesAgo: 60 });
      await happens(1, kind);
      pass();
      await begin();
      expect(await startsOf('cancelled')).toEqual([[leads[0], 'suppressed']]);
      expect(await claim()).toEqual([]);
    },
  );

  it.each(['unsubscribed', 'bounced', 'complained'] as const)(
    'has %s by the message to another lead after one has entered: nothing more is sent',
    async (kind) => {
      await answers(1, { text: 'Hello?', minutesAgo: 60 });
      await answers(0, { minutesAgo: 50 });
      pass();
      await begin();
      expect(await startsOf('started')).toEqual([[leads[0], null]]);
      await happens(1, kind);
      expect(await claim()).toEqual([]);
      expect(await recipient(leads[0])).toMatchObject({ nextSendAt: null });
    },
  );

  it('waits for the review of a doubtful answer to another lead', async () => {
    await answers(0, { minutesAgo: 50 });
    await answers(1, DOUBTFUL);
    pass();
    await begin();
    expect(await startsOf('pending')).toEqual([[leads[0], 'needs_review']]);
    await decide('auto_reply');
    await begin();
    expect(await startsOf('started')).toEqual([[leads[0], null]]);
  });

  it('is held by a doubtful answer to another lead where the subsequence has begun', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    expect(await recipient(leads[0])).toMatchObject({ holdReason: 'needs_review' });
    expect(await claim()).toEqual([]);
    await decide('message');
    expect(await recipient(leads[0])).toMatchObject({ holdReason: null });
    expect(await claim()).toEqual([leads[0]]);
  });

  it.each([
    ['deleted', (id: number) => ann.ok('DELETE', `/v1/leads/${id}`)],
    ['given another address', (id: number) => moves(id, 'new@x.example')],
  ])('goes on when that is decided after the other lead was %s', async (_, change) => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    await change(leads[1]);
    expect(await claim()).toEqual([]);
    await decide('message');
    expect(await claim()).toEqual([leads[0]]);
  });

  it('goes on when its own address changes before that is decided: it is somebody else', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    users.signals.length = 0;
    await moves(leads[0], 'new@x.example');
    expect(await recipient(leads[0])).toMatchObject({ holdReason: null });
    expect(users.signals).toEqual([expect.stringContaining(`campaign/${next}`)]);
    expect(await claim()).toEqual([leads[0]]);
    await decide('reply');
    expect(await recipient(leads[0])).toMatchObject({ status: 'queued', holdReason: null });
  });

  it('is held by its own doubtful answer whatever its address is', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(0, DOUBTFUL);
    await moves(leads[0], 'new@x.example');
    expect(await claim()).toEqual([]);
    await decide('message');
    expect(await claim()).toEqual([leads[0]]);
  });

  it('is held when it gets the address of a lead with a doubtful answer', async () => {
    await answers(0, { minutesAgo: 50 });
    await moves(leads[0], 'own@x.example');
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    expect(await recipient(leads[0])).toMatchObject({ holdReason: null });
    await moves(leads[0], EMAIL);
    expect(await recipient(leads[0])).toMatchObject({ holdReason: 'needs_review' });
    expect(await claim()).toEqual([]);
    await decide('message');
    expect(await claim()).toEqual([leads[0]]);
  });

  it('goes on when that is decided, whose doubtful answers the other lead shares by now', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    const body = { personFirstName: 'Eve', personLastName: 'Roe', personEmail: 'eve@x.example' };
    const { id: eve } = (await ann.ok('POST', '/v1/leads', body)).leads[0];
    await moves(leads[1], 'eve@x.example');
    const older = { ...DOUBTFUL, minutesAgo: 2 };
    await answerTo(db(), { campaignId: sources[2], leadId: eve, ...older });
    await decide('message');
    expect(await claim()).toEqual([leads[0]]);
  });

  it.each(['deleted', 'moved'] as const)(
    'waits for the review also where the other lead is %s meanwhile',
    async (how) => {
      await answers(0, { minutesAgo: 50 });
      await answers(1, DOUBTFUL);
      if (how === 'moved') await moves(leads[1], 'new@x.example');
      else await ann.ok('DELETE', `/v1/leads/${leads[1]}`);
      pass();
      await begin();
      expect(await startsOf('pending')).toEqual([[leads[0], 'needs_review']]);
      await decide('message');
      await begin();
      expect(await startsOf('started')).toEqual([[leads[0], null]]);
    },
  );

  it('stays held while one of two doubtful answers to other leads is not decided', async () => {
    await answers(0, { minutesAgo: 50 });
    pass();
    await begin();
    await answers(1, DOUBTFUL);
    await answers(2, DOUBTFUL);
    await decide('message');
    expect(await recipient(leads[0])).toMatchObject({ holdReason: 'needs_review' });
    await decide('message');
    expect(await claim()).toEqual([leads[0]]);
  });
});
