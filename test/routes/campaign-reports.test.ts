/** What shows a campaign before, while and after it sends. Choices 6, 8, 58. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { compose } from '../../src/providers/mail-transport/mime.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import {
  MESSAGE,
  MONDAY,
  noteSent,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
/** What the mail host was given, or how it fails. */
let messages: RawMessage[] = [];
let hostFails: ProviderError | undefined;

beforeAll(async () => {
  const openSubmission = async () => ({
    send: async (message: RawMessage) => {
      if (hostFails) throw hostFails;
      messages.push(message);
      return { reply: '250 2.0.0 queued', refused: [] };
    },
    isUsable: () => true,
    close: () => undefined,
  });
  const mailTransport = { compose, openSubmission } as unknown as Context['mailTransport'];
  users = await startCampaignUsers({ mailTransport });
  ann = await users.newUser();
});
afterAll(() => users?.close());
beforeEach(() => {
  messages = [];
  hostFails = undefined;
});

const counted = (
  campaignId: number,
  day: string,
  row: { step: number; variant: number },
  counts: object,
) =>
  users.database.db
    .insertInto('campaign_counters')
    .values({ campaign_id: campaignId, day, ...row, ...counts })
    .execute();

const SEQUENCE = {
  bodyTemplate: 'Text 0',
  variants: [{ bodyTemplate: 'Text 0.1' }, { subjectTemplate: 'Other', bodyTemplate: 'Text 0.2' }],
  steps: [{ order: 1, bodyTemplate: 'Text 1', variants: [{ bodyTemplate: 'Text 1.1' }] }],
};

describe('GET /v1/campaigns/:id/preflight', () => {
  it('is ready, with what is worth knowing', async () => {
    const { id } = await ann.campaign({ bodyTemplate: 'The same for all' });
    const check = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(check).toMatchObject({ ready: true, problems: [], leads: 1, mailboxes: 1 });
    expect(check.warnings.map(({ field }: { field: string }) => field)).toEqual([
      'assignedMailboxes',
      'bodyTemplate',
    ]);
  });

  it('says which follow-ups never go, and is content with any variable of the lead', async () => {
    const { id } = await ann.campaign({
      bodyTemplate: 'The same for all',
      variants: [{ bodyTemplate: 'You are {{role|somebody}}' }],
      steps: SEQUENCE.steps,
      maxFollowups: 0,
    });
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(warnings).toMatchObject([
      { field: 'assignedMailboxes' },
      {
        field: 'steps',
        message: 'steps has 1 follow-up(s), but maxFollowups is 0: the others are never sent',
      },
    ]);
  });

  it.each([
    // Monday morning: 12 days of warming are left of 14, and the day after the last one.
    [true, 'warming', 2, 'is warming and sends first on 2027-03-18, if all goes well'],
    [false, 'throttled', 14, 'is throttled and sends first on 2027-03-02, if all goes well'],
    [false, 'paused', 3, 'is paused'],
  ])('says when a mailbox that is warming sends first', async (weekdays, state, day, words) => {
    const { id, assignedMailboxes } = await ann.campaign();
    const { db } = users.database;
    await ann.ok('PATCH', '/v1/account', { timezone: 'America/New_York' });
    await sql`insert into warmups (mailbox_id, user_id, status, start_volume, daily_increase,
        max_volume, reply_rate, weekdays_only, day)
      values (${assignedMailboxes[0]}, ${ann.userId}, ${state}, 5, 2, 40, 30, ${weekdays}, ${day})`.execute(
      db,
    );
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(warnings[0].message).toMatch(new RegExp(`^\\S+ ${words}$`));
  });

  it('counts the leads for whom nothing is left of a text', async () => {
    const texts = {
      subjectTemplate: '{{company}}',
      bodyTemplate: 'Hi {{firstName}}',
      variants: [{ bodyTemplate: '<p>{{role}} {{city}}</p>' }, { bodyTemplate: '{{firstName}}' }],
    };
    const { id } = await ann.campaign(texts, 3);
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personRole: 'Owner' });
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    const words = warnings.map(({ message }: { message: string }) => message);
    expect(words).toContain(
      'subjectTemplate comes out empty for 3 lead(s) without company: an empty message is not sent',
    );
    expect(words).toContain(
      'variants[0].bodyTemplate comes out empty for 2 lead(s) without role, city: an empty message is not sent',
    );
    expect(words.join()).not.toContain('variants[1]');
  });

  it('counts a lead as nameless whose name is its company’s, in however many parts', async () => {
    const { id } = await ann.campaign({ bodyTemplate: 'Hi {{firstName}} {{lastName}}' }, 0);
    const add = async (company: string, firstName: string, lastName: string) => {
      const email = `${++added}@names.example`;
      const people = [{ firstName, lastName: lastName || 'None', email }];
      const { leads } = await ann.ok('POST', '/v1/leads', { company_name: company, people });
      const leadId = leads[0].id as number;
      // Files have leads with one name, which the API does not take.
      const change = users.database.db.updateTable('leads').set({ last_name: lastName });
      await change.where('id', '=', leadId).execute();
      return leadId;
    };
    let added = 0;
    const business = await add('Joe’s Pizza & Grill – Uptown', "Joe's Pizza & Grill –", 'Uptown');
    const firm = await add('Acme Plumbing', 'Acme Plumbing LLC', '');
    const formless = await add('Acme Roofing, Inc.', 'ACME Roofing', '');
    const other = await add('Other', 'Müller & Söhne', '');
    const people = [
      await add('Ida Lee', 'Ida', 'Lee'),
      await add('Bolt', 'Bo', 'Lee'),
      await add('Anna GmbH', 'Anna', ''),
      await add('Mary Jane’s', 'Mary Jane', ''),
      await add('Tom & Co', 'Anna & Tom', 'Weber'),
      await add('小明科技有限公司', '王小明', ''),
    ];
    const businesses = [business, firm, formless, other];
    await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds: [...businesses, ...people] });
    const { missingValues } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    const nameless = { leads: 4, examples: businesses.map((each) => ({ id: each })) };
    expect(missingValues).toMatchObject([
      { variable: 'firstName', ...nameless },
      { variable: 'lastName', leads: 7 },
    ]);
  });
});

describe('POST /v1/campaigns/:id/preview', () => {
  it('shows every message to a lead, built-in reminders too', async () => {
    const { id, assignedMailboxes } = await ann.campaign({ maxFollowups: 2 });
    const people = [{ firstName: 'Zoe', lastName: 'Lee', email: 'zoe@z.example' }];
    const { leads } = await ann.ok('POST', '/v1/leads', { company_name: 'Zeta & Co', people });
    const shown = await ann.ok('POST', `/v1/campaigns/${id}/preview`, { leadId: leads[0].id });
    expect(shown).toMatchObject({ leadId: leads[0].id, subject: 'Hello Zoe' });
    expect(shown.text).toContain('how is Zeta & Co?');
    expect(shown.html).toContain('how is Zeta &amp; Co?');
    expect(shown.text).toContain('1 Main Street');
    expect(shown.letters.map((one: { subject: string }) => one.subject)).toEqual([
      'Hello Zoe',
      'Re: Hello Zoe',
      'Re: Hello Zoe',
    ]);
    expect(assignedMailboxes).toHaveLength(1);
  });

  it('shows each variant and each follow-up that is asked for', async () => {
    const { id } = await ann.campaign(SEQUENCE);
    const show = (body: object) => ann.ok('POST', `/v1/campaigns/${id}/preview`, body);
    const texts = async (body: object) =>
      (await show(body)).letters.map(({ position, variant, text }: { [key: string]: string }) => [
        position,
        variant,
        text!.split('\n')[0],
      ]);
    expect(await texts({ variant: 0 })).toEqual([
      [0, 0, 'Text 0'],
      [1, 0, 'Text 1'],
    ]);
    expect(await texts({ variant: 1 })).toEqual([
      [0, 1, 'Text 0.1'],
      [1, 1, 'Text 1.1'],
    ]);
    expect(await texts({ step: 1, variant: 1 })).toEqual([[1, 1, 'Text 1.1']]);
    expect(await show({ step: 0, variant: 2 })).toMatchObject({ subject: 'Other' });
    for (const [body, field] of [
      [{ step: 2 }, 'step'],
      [{ variant: 3 }, 'variant'],
      [{ step: 1, variant: 2 }, 'variant'],
    ] as const) {
      const answer = await ann.call('POST', `/v1/campaigns/${id}/preview`, body);
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field }] } });
    }
  });

  it('takes the first lead, or somebody made up', async () => {
    const { id } = await ann.campaign();
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    expect((await ann.ok('POST', `/v1/campaigns/${id}/preview`)).leadId).toBe(leadId);
    const empty = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    const shown = await ann.ok('POST', `/v1/campaigns/${empty.id}/preview`, {});
    expect(shown).toMatchObject({ leadId: null, subject: 'Hello Alex' });
    const missing = await ann.call('POST', `/v1/campaigns/${id}/preview`, { leadId: 999_999 });
    expect(missing.body.code).toBe('LEAD_NOT_FOUND');
  });
});

describe('POST /v1/campaigns/:id/test-email', () => {
  const test = (id: number, body: object) =>
    ann.call('POST', `/v1/campaigns/${id}/test-email`, body);

  it('sends the first message, marked, and counts nowhere', async () => {
    const { id } = await ann.campaign();
    const answer = await test(id, { to: 'me@home.example' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { to: 'me@home.example', subject: '[Test] Hello P0', reply: '250 2.0.0 queued' },
      },
    });
    expect(messages).toMatchObject([{ to: 'me@home.example', from: answer.body.data.from }]);
    const raw = messages[0]!.raw.toString();
    expect(raw).toContain('Subject: [Test] Hello P0');
    // As the real ones have it; one click in a test is not taken for a lead's.
    expect(raw).toMatch(/^List-Unsubscribe: <http[^>]*\/u\/preview>/m);
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.sent).toBe(0);
    const sends = await users.database.db
      .selectFrom('sends')
      .select('id')
      .where('campaign_id', '=', id)
      .execute();
    expect(sends).toEqual([]);
  });

  it('sends a follow-up, or another variant', async () => {
    const { id } = await ann.campaign(SEQUENCE);
    const sent = await test(id, { to: 'me@home.example', step: 1, variant: 1 });
    expect(sent.body.data.subject).toBe('[Test] Re: Hello P0');
    expect(messages[0]!.raw.toString()).toContain('Text 1.1');
    const other = await test(id, { to: 'me@home.example', variant: 2 });
    expect(other.body.data.subject).toBe('[Test] Other');
  });

  it('goes out twenty times an hour for an account, whichever campaign it is of', async () => {
    const other = await users.newUser();
    const { id } = await other.campaign();
    const { id: second } = await other.campaign();
    const ask = (campaign: number) =>
      other.call('POST', `/v1/campaigns/${campaign}/test-email`, { to: 'me@home.example' });
    const { db } = users.database;
    const mine = sql`subject = ${`test-email:${other.userId}`}`;
    expect((await ask(id)).status).toBe(200);
    await sql`update rate_counters set hour_used = hour_used + 18 where ${mine}`.execute(db);
    expect((await ask(second)).status).toBe(200);
    const refused = await ask(id);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    await sql`update rate_counters set hour_started_at = now() - interval '61 minutes'
      where ${mine}`.execute(db);
    expect((await ask(id)).status).toBe(200);
    messages.length = 0;
  });

  it('answers what the mail host says', async () => {
    const { id } = await ann.campaign();
    const facts = { provider: 'submission' };
    hostFails = new ProviderError('rejected', 'refused', { ...facts, reply: '550 no such user' });
    expect(await test(id, { to: 'me@home.example' })).toMatchObject({
      status: 400,
      body: { code: 'TEST_EMAIL_REFUSED', error: expect.stringContaining('550 no such user') },
    });
    for (const kind of ['unavailable', 'outcome_unknown'] as const) {
      hostFails = new ProviderError(kind, 'gone', facts);
      expect((await test(id, { to: 'me@home.example' })).status).toBe(502);
    }
  });

  it('400 for no address, a suppressed one, and without a mailbox', async () => {
    const { id } = await ann.campaign();
    expect((await test(id, { to: 'nobody' })).body.code).toBe('VALIDATION_ERROR');
    await ann.ok('POST', '/v1/suppressions', { email: 'no@more.example' });
    expect((await test(id, { to: 'No@More.example' })).body.code).toBe('RECIPIENT_SUPPRESSED');
    const bare = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    expect((await test(bare.id, { to: 'me@home.example' })).body.code).toBe('CAMPAIGN_NOT_READY');
    expect(messages).toEqual([]);
  });
});

describe('GET /v1/campaigns/:id/sending-status', () => {
  it('tells the window, what waits, and each mailbox with its limits', async () => {
    const { id, assignedMailboxes } = await ann.campaign({}, 3);
    const mailboxId = Number(assignedMailboxes[0]);
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    await noteSent(users, { campaignId: id, leadId, mailboxId });
    const nextFree = new Date(MONDAY.getTime() + 600_000);
    await sql`update mailboxes set next_send_at = ${nextFree} where id = ${mailboxId}`.execute(
      users.database.db,
    );
    expect(await ann.ok('GET', `/v1/campaigns/${id}/sending-status`)).toEqual({
      status: 'active',
      pauseReason: null,
      warning: null,
      windowOpen: true,
      windowStartsAt: '2027-03-01T14:00:00.000Z',
      windowEndsAt: '2027-03-01T22:00:00.000Z',
      nextSendAt: nextFree.toISOString(),
      leads: 3,
      waiting: 3,
      newLeads: { today: 1, limit: null, nextDayAt: '2027-03-02T05:00:00.000Z' },
      mailboxes: [
        {
          mailboxId,
          email: expect.stringContaining('@'),
          sentLastDay: 1,
          dailyLimit: 30,
          sentLastHour: 1,
          hourlyLimit: 8,
          nextFreeAt: nextFree.toISOString(),
          holdReason: null,
          failingReason: null,
          failingSince: null,
        },
      ],
    });
    users.clock.at = new Date('2027-03-06T12:00:00.000Z');
    expect(await ann.ok('GET', `/v1/campaigns/${id}/sending-status`)).toMatchObject({
      windowOpen: false,
      nextSendAt: '2027-03-08T14:00:00.000Z',
    });
    users.clock.at = MONDAY;
  });
});

describe('analytics', () => {
  it('sum up totals, days and messages with their variants (Choice 6)', async () => {
    const steps = [{ order: 1, bodyTemplate: 'Reminder' }];
    const variants = [{ bodyTemplate: 'Other' }];
    const { id } = await ann.campaign({ steps, variants }, 2);
    await counted(id, '2027-02-27', { step: 0, variant: 0 }, { sent: 6, opened: 3 });
    await counted(id, '2027-02-27', { step: 0, variant: 1 }, { sent: 4, replied: 1 });
    await counted(id, '2027-03-01', { step: 1, variant: 0 }, { sent: 5, bounced: 1, clicked: 2 });
    expect(await ann.ok('GET', `/v1/campaigns/${id}/analytics`)).toMatchObject({
      leads: 2,
      contacted: 10,
      sent: 15,
      replied: 1,
      bounced: 1,
      replyRate: 10,
      bounceRate: 6.7,
      openRate: 20,
    });
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats).toMatchObject({
      contacted: 10,
      sent: 15,
      clicked: 2,
    });
    const range = 'from=2027-02-26&to=2027-03-01';
    const days = await ann.ok('GET', `/v1/campaigns/${id}/analytics/daily?${range}`);
    expect(days.map((day: { date: string; sent: number }) => [day.date, day.sent])).toEqual([
      ['2027-02-26', 0],
      ['2027-02-27', 10],
      ['2027-02-28', 0],
      ['2027-03-01', 5],
    ]);
    expect(await ann.ok('GET', `/v1/campaigns/${id}/analytics/daily`)).toHaveLength(30);
    const messages = await ann.ok('GET', `/v1/campaigns/${id}/analytics/steps`);
    expect(messages).toMatchObject([
      {
        position: 0,
        sent: 10,
        variants: [
          { sent: 6, opened: 3 },
          { sent: 4, replied: 1 },
        ],
      },
      { position: 1, sent: 5, variants: [{ variant: 0, clicked: 2 }] },
    ]);
  });

  it('a lead that is deleted stays in what was reached, as the document says', async () => {
    const { id } = await ann.campaign();
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    await counted(id, '2027-03-01', { step: 0, variant: 0 }, { sent: 1 });
    await ann.ok('DELETE', `/v1/leads/${leadId}`);
    const { stats } = await ann.ok('GET', `/v1/campaigns/${id}`);
    expect(stats).toMatchObject({ leads: 0, contacted: 1, sent: 1 });
    const { body } = await users.api.call('GET', '/openapi.json');
    const { leads, contacted } = body.components.schemas.CampaignStats.properties;
    expect(leads.description).toContain('in it now');
    expect(contacted.description).toContain('also those that were deleted');
  });

  it('a message that was sent before the sequence was shortened is still told', async () => {
    const steps = [{ order: 1, bodyTemplate: 'Reminder' }];
    const { id } = await ann.campaign({ steps });
    await counted(id, '2027-03-01', { step: 0, variant: 0 }, { sent: 1 });
    await counted(id, '2027-03-01', { step: 1, variant: 2 }, { sent: 1 });
    for (const change of [{ maxFollowups: 0 }, { maxFollowups: 3 }]) {
      await ann.ok('PATCH', `/v1/campaigns/${id}`, change);
      const messages = await ann.ok('GET', `/v1/campaigns/${id}/analytics/steps`);
      expect(messages).toHaveLength(Math.max(1, change.maxFollowups) + 1);
      expect(messages.slice(0, 2)).toMatchObject([
        { position: 0, sent: 1 },
        { position: 1, sent: 1, variants: [{ sent: 0 }, { sent: 0 }, { variant: 2, sent: 1 }] },
      ]);
    }
  });

  it('400 for a range that is none, or too long', async () => {
    const { id } = await ann.campaign();
    for (const range of [
      'from=2027-03-02&to=2027-03-01',
      'from=%20&to=%20',
      'to=0000-01-05',
      'from=2020-01-01&to=2027-01-01',
    ]) {
      const answer = await ann.call('GET', `/v1/campaigns/${id}/analytics/daily?${range}`);
      expect(answer.body.code).toBe('VALIDATION_ERROR');
    }
  });
});
