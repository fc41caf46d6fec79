/** Campaigns over HTTP: what one is made of, and what may be asked of it. Choices 6-12. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { campaignBody } from '../../src/routes/campaigns/campaign-order.ts';
import {
  MESSAGE,
  MONDAY,
  NOT_FOUND,
  noteSent,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  bob = await users.newUser();
});
afterAll(() => users?.close());
beforeEach(() => {
  users.signals.length = 0;
  users.started.length = 0;
  users.temporal.failure = undefined;
});

const create = (body: object) => ann.call('POST', '/v1/campaigns', { ...MESSAGE, ...body });
const many = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n + 1));
const ask = (id: number, request: string) => ann.call('POST', `/v1/campaigns/${id}/${request}`);
const status = async (id: number) => (await ann.ok('GET', `/v1/campaigns/${id}`)).status;
const fieldsOf = (answer: { body: { details?: { field: string }[] } }) =>
  answer.body.details?.map(({ field }) => field);

describe('POST /v1/campaigns', () => {
  it('201 with a draft and every default (Spec: Campaigns; choices 6, 11)', async () => {
    const answer = await create({});
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      ...MESSAGE,
      status: 'draft',
      pauseReason: null,
      warning: null,
      archived: false,
      variants: [],
      timezone: 'America/New_York',
      activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
      startTime: '09:00',
      endTime: '17:00',
      assignedMailboxes: [],
      leadListIds: [],
      maxFollowups: 0,
      followupDelayDays: 3,
      steps: [],
      trackOpens: false,
      trackClicks: false,
      textOnly: false,
      language: 'en',
      minValidationScore: null,
      riskyAddresses: { catchAll: 'allow', unknown: 'allow', role: 'allow' },
      maxNewLeadsPerDay: null,
      newLeadShare: null,
      onlyNeverContacted: false,
      useRecipientTimezone: false,
      trackingDomainId: null,
      stopCompanyOnReply: false,
      startsOn: null,
      autoWinner: null,
      winners: [],
      skippedReasons: {},
      stats: {
        leads: 0,
        paused: 0,
        removed: 0,
        companyReplied: 0,
        pendingStarts: 0,
        contacted: 0,
        sent: 0,
        failed: 0,
        uncertain: 0,
        opened: 0,
        clicked: 0,
        replied: 0,
        autoReplied: 0,
        bounced: 0,
        unsubscribed: 0,
        complained: 0,
        rejected: 0,
        machineOpened: 0,
        machineClicked: 0,
      },
      enrolling: false,
      startedAt: null,
      pausedAt: null,
      completedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('echoes every field that it takes (Choice 6)', async () => {
    const [one, two] = await ann.mailboxes(2);
    const list = await ann.ok('POST', '/v1/lead-lists', { name: 'Dentists' });
    const given = {
      timezone: 'Europe/Berlin',
      startTime: '22:00',
      endTime: '06:00',
      leadListIds: [list.id],
      maxFollowups: 2,
      followupDelayDays: 5,
      trackOpens: true,
      trackClicks: true,
      language: 'pt-BR',
      variants: [{ subjectTemplate: 'Hey', bodyTemplate: 'B' }],
      steps: [
        { order: 1, delayDays: 2, subjectTemplate: 'Again', bodyTemplate: 'More', variants: [] },
      ],
    };
    // Spec: POST /v1/campaigns. Strings, and integers too.
    const { body } = await create({ ...given, assignedMailboxes: [`${one}`, two, `${one}`] });
    expect(body.data).toMatchObject({ ...given, assignedMailboxes: [`${one}`, `${two}`] });
  });

  it('takes textOnly, and refuses what needs HTML beside it, on creation and on change', async () => {
    const refused = await create({ textOnly: true, trackOpens: true, trackClicks: true });
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['trackOpens', 'trackClicks']]);
    const { body } = await create({ textOnly: true, bodyTemplate: '<p>Hi <b>you</b></p>' });
    const path = `/v1/campaigns/${body.data.id}`;
    expect(body.data.textOnly).toBe(true);
    const tracked = await ann.call('PATCH', path, { trackClicks: true });
    expect([tracked.status, fieldsOf(tracked)]).toEqual([400, ['trackClicks']]);
    const preview = await ann.ok('POST', `${path}/preview`, {});
    expect([preview.html, preview.letters[0].html]).toEqual([null, null]);
    expect(preview.text).toMatch(/^Hi you\n\n-- \n/);
    expect((await ask(body.data.id, 'duplicate')).body.data.textOnly).toBe(true);
    const changed = await ann.call('PATCH', path, { textOnly: false, trackClicks: true });
    expect(changed.body.data).toMatchObject({ textOnly: false, trackClicks: true });
    expect((await ann.ok('POST', `${path}/preview`, {})).html).toContain('<b>you</b>');
  });

  it('takes a language, and reads it out of the first message where none is set', async () => {
    const bodyTemplate = 'Guten Tag,\n\nich habe eine Frage: Ist das ein Thema für Sie?';
    const { body } = await create({ bodyTemplate });
    expect(body.data.language).toBe('de');
    const change = (language: unknown) =>
      ann.call('PATCH', `/v1/campaigns/${body.data.id}`, { language });
    expect((await change('fr')).body.data.language).toBe('fr');
    expect((await change(null)).body.data.language).toBe('de');
    const preview = await ann.ok('POST', `/v1/campaigns/${body.data.id}/preview`, {});
    expect(preview.letters[0].text).toContain('Abmelden: ');
    expect((await change('deutsch bitte')).body.code).toBe('VALIDATION_ERROR');
  });

  it('says what a mailbox that is none should be', async () => {
    const [own] = await ann.mailboxes(1);
    const answer = await create({ assignedMailboxes: [`${own}`, 'abc', true] });
    expect(answer.body.details).toEqual(
      [1, 2].map((at) => ({
        field: `assignedMailboxes[${at}]`,
        message: `assignedMailboxes[${at}] must be the id of a mailbox`,
      })),
    );
  });

  it('takes as many mailboxes, lists and variants as it may (Choice 47)', () => {
    const order = {
      ...MESSAGE,
      assignedMailboxes: many(1_000, (n) => n),
      leadListIds: many(100, (n) => n),
      variants: many(10, () => ({ bodyTemplate: 'B' })),
    };
    expect(campaignBody.safeParse(order).success).toBe(true);
  });

  it('takes days in any case and by full name, each once, in the order of the week (Choice 11)', async () => {
    const { body } = await create({ activeDays: ['FRI', 'monday', 'Mon', 'Sunday'] });
    expect(body.data.activeDays).toEqual(['mon', 'fri', 'sun']);
  });

  it('counts the follow-ups that are written, in their order (Choice 10)', async () => {
    const steps = [
      { order: 5, bodyTemplate: 'Second' },
      { order: 2, bodyTemplate: 'First', delayDays: 9 },
    ];
    const { body } = await create({ steps, followupDelayDays: 4 });
    expect(body.data.maxFollowups).toBe(2);
    expect(body.data.steps).toMatchObject([
      { order: 1, bodyTemplate: 'First', delayDays: 9, subjectTemplate: null },
      { order: 2, bodyTemplate: 'Second', delayDays: 4 },
    ]);
  });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['no subject', { subjectTemplate: undefined }, 'subjectTemplate'],
    ['no body', { bodyTemplate: undefined }, 'bodyTemplate'],
    ['a body over 100 kB', { bodyTemplate: 'x'.repeat(100_001) }, 'bodyTemplate'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset as zone', { timezone: '+02:00' }, 'timezone'],
    ['no day', { activeDays: [] }, 'activeDays'],
    ['an unknown day', { activeDays: ['mon', 'someday'] }, 'activeDays[1]'],
    ['a time without a nought', { startTime: '9:00' }, 'startTime'],
    ['a time after the day', { endTime: '24:00' }, 'endTime'],
    ['a window of nothing', { startTime: '09:00', endTime: '09:00' }, 'endTime'],
    ['a mailbox that is no id', { assignedMailboxes: ['a'] }, 'assignedMailboxes[0]'],
    ['1,001 mailboxes', { assignedMailboxes: many(1_001, (n) => n) }, 'assignedMailboxes'],
    ['101 lists', { leadListIds: many(101, (n) => n) }, 'leadListIds'],
    ['11 variants', { variants: many(11, () => ({ bodyTemplate: 'B' })) }, 'variants'],
    ['11 follow-ups', { maxFollowups: 11 }, 'maxFollowups'],
    ['a negative number of follow-ups', { maxFollowups: -1 }, 'maxFollowups'],
    ['half a follow-up', { maxFollowups: 0.5 }, 'maxFollowups'],
    ['no days between', { followupDelayDays: 0 }, 'followupDelayDays'],
    ['91 days between', { followupDelayDays: 91 }, 'followupDelayDays'],
    ['a subject of two lines', { subjectTemplate: 'Hello\nthere' }, 'subjectTemplate'],
    [
      'a second header in a subject',
      { variants: [{ subjectTemplate: 'Hi\r\nBcc: x@y.test', bodyTemplate: 'x' }] },
      'variants[0].subjectTemplate',
    ],
    [
      'a subject of two lines in a follow-up',
      { steps: [{ order: 1, subjectTemplate: 'a\rb', bodyTemplate: 'x' }] },
      'steps[0].subjectTemplate',
    ],
    ['a step without order', { steps: [{ bodyTemplate: 'x' }] }, 'steps[0].order'],
    [
      'one order twice',
      {
        steps: [
          { order: 1, bodyTemplate: 'x' },
          { order: 1, bodyTemplate: 'y' },
        ],
      },
      'steps',
    ],
  ])('400 for %s (Choice 12)', async (_words, body, field) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(fieldsOf(answer)).toContain(field);
  });

  it.each([
    [{ subjectTemplate: 'Hi {{frstName}}' }, 'subjectTemplate', '{{frstName}}'],
    [{ bodyTemplate: '{{#each}}x{{/each}}' }, 'bodyTemplate', '{{#each}}'],
    [{ bodyTemplate: 'Hi {firstName}' }, 'bodyTemplate', '{firstName}'],
    [
      { bodyTemplate: 'Hi {{firstName|{{lastName}}}}' },
      'bodyTemplate',
      'a fallback is text without braces',
    ],
    [{ variants: [{ bodyTemplate: '{{x}}' }] }, 'variants[0].bodyTemplate', '{{x}}'],
    [{ steps: [{ order: 1, bodyTemplate: '{{x}}' }] }, 'steps[0].bodyTemplate', '{{x}}'],
  ])('400 for what is no variable, by its name: %j (Choice 8)', async (body, field, named) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining([field]));
    expect(answer.body.error).toContain(named);
  });

  it('400 MAILBOX_NOT_FOUND lists foreign and missing mailboxes alike, and keeps nothing (Choice 12)', async () => {
    const [own] = await ann.mailboxes(1);
    const [foreign] = await bob.mailboxes(1);
    const before = (await ann.call('GET', '/v1/campaigns')).body.meta.pagination.total;
    const answer = await create({ assignedMailboxes: [own, `${foreign}`, '999999'] });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'MAILBOX_NOT_FOUND', error: `Mailbox not found: ${foreign}, 999999` },
    });
    expect((await ann.call('GET', '/v1/campaigns')).body.meta.pagination.total).toBe(before);
  });

  it('404 for a missing list and for another user’s', async () => {
    const list = await bob.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    for (const id of [999_999, list.id]) {
      const answer = await create({ leadListIds: [id] });
      expect(answer).toMatchObject({ status: 404, body: { code: 'LEAD_LIST_NOT_FOUND' } });
    }
  });

  it('404 names each of several lists that is missing or another user’s, and no other (Choice 179)', async () => {
    const own = await ann.ok('POST', '/v1/lead-lists', { name: 'Mine' });
    const { id: foreign } = await bob.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    const { body } = await create({ leadListIds: [999_999, own.id, foreign] });
    expect(body.error).toBe(`Lead list not found: ${foreign}, 999999`);
    expect(body.details).toEqual(
      [foreign, 999_999].map((id) => ({
        field: 'leadListIds',
        message: `leadListIds: lead list ${id} not found`,
      })),
    );
  });
});

describe('GET /v1/campaigns', () => {
  it('pages by status, search and order; archived ones on request (Choice 8)', async () => {
    const cat = await users.newUser();
    for (const name of ['Alpha', 'beta 100%', 'Gamma']) {
      await cat.ok('POST', '/v1/campaigns', { ...MESSAGE, name });
    }
    const names = async (query: string) =>
      (await cat.ok('GET', `/v1/campaigns?${query}`)).map((one: { name: string }) => one.name);
    expect(await names('')).toEqual(['Gamma', 'beta 100%', 'Alpha']);
    expect(await names('sort=createdAt&order=asc&limit=2')).toEqual(['Alpha', 'beta 100%']);
    expect(await names('search=100%25')).toEqual(['beta 100%']);
    expect(await names('status=active')).toEqual([]);
    const [gamma] = await cat.ok('GET', '/v1/campaigns?search=gamma');
    await cat.ok('PATCH', `/v1/campaigns/${gamma.id}`, { archived: true });
    expect(await names('')).toEqual(['beta 100%', 'Alpha']);
    expect(await names('archived=true')).toEqual(['Gamma']);
  });

  it('404 in the same words for missing and foreign ones, on every route', async () => {
    const { id } = await bob.campaign();
    const routes = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ...['duplicate', 'start', 'pause', 'resume', 'cancel'].map((verb) => ['POST', `/${verb}`]),
      ['POST', '/leads', { leadIds: [1] }],
      ['GET', '/leads'],
      ['GET', '/leads/1'],
      ['GET', '/pending-starts'],
      ['GET', '/preflight'],
      ['POST', '/preview', {}],
      ['POST', '/test-email', { to: 'a@b.example' }],
      ['GET', '/sending-status'],
      ['GET', '/analytics'],
      ['GET', '/analytics/daily'],
      ['GET', '/analytics/steps'],
      ['GET', '/export'],
    ] as const;
    for (const [method, path, body] of routes) {
      const words = async (campaign: number) => {
        const answer = await ann.call(method!, `/v1/campaigns/${campaign}${path}`, body);
        const { requestId: _id, ...rest } = answer.body;
        return { status: answer.status, rest };
      };
      const foreign = await words(id);
      expect(foreign, `${method} ${path}`).toMatchObject({
        status: 404,
        rest: { code: 'CAMPAIGN_NOT_FOUND' },
      });
      expect(foreign).toEqual(await words(999_999));
    }
  });
});

describe('POST /v1/campaigns/:id/start', () => {
  it('activates a draft: row, event and the intent to start its workflow (Choices 7, 8, 45)', async () => {
    const { id } = await ann.campaign();
    const answer = await ask(id, 'start');
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'active', startedAt: users.clock.at.toISOString() } },
    });
    expect(users.started).toMatchObject([
      { kind: 'runCampaign', workflow_id: `campaign/${id}`, input: { campaignId: id } },
    ]);
    const events = await users.database.db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('resource', '=', `campaign/${id}`)
      .execute();
    expect(events).toMatchObject([{ type: 'campaign.started', payload: { campaignId: id } }]);
  });

  it('the same state again changes nothing (Choice 8)', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    users.started.length = 0;
    expect((await ask(id, 'start')).status).toBe(200);
    expect(users.started).toEqual([]);
  });

  it('400 CAMPAIGN_NOT_READY names all that is missing (Choices 8, 56)', async () => {
    const dan = await users.newUser();
    await dan.ok('PATCH', '/v1/account', { senderName: null, postalAddress: null });
    const { id } = await dan.ok('POST', '/v1/campaigns', MESSAGE);
    const answer = await dan.call('POST', `/v1/campaigns/${id}/start`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'CAMPAIGN_NOT_READY' } });
    expect(fieldsOf(answer)).toEqual(['assignedMailboxes', 'leads', 'senderName', 'postalAddress']);
    const check = await dan.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(check.problems).toEqual(answer.body.details);
    expect(check).toMatchObject({ ready: false, leads: 0, mailboxes: 0 });
  });

  it('enrols what its lists hold by then (Choice 9)', async () => {
    const list = await ann.ok('POST', '/v1/lead-lists', { name: 'Later' });
    const { id } = await ann.campaign({ leadListIds: [list.id] }, 0);
    const people = [{ firstName: 'Eve', lastName: 'Lee', email: 'eve@later.example' }];
    await ann.ok('POST', '/v1/leads', { company_name: 'Later Ltd', leadListId: list.id, people });
    expect((await ask(id, 'start')).body.data).toMatchObject({
      status: 'active',
      stats: { leads: 1 },
    });
  });

  it('a completed campaign with new leads starts its next run (Choice 7)', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    const db = users.database.db;
    await db
      .updateTable('recipients')
      .set({ due_at: null })
      .where('campaign_id', '=', id)
      .execute();
    await db.updateTable('campaigns').set({ status: 'completed' }).where('id', '=', id).execute();
    expect((await ask(id, 'start')).body.code).toBe('CAMPAIGN_NOT_READY');
    const added = await ann.ok('POST', `/v1/campaigns/${id}/leads`, {
      leadIds: await ann.leads(1),
    });
    expect(added.added).toBe(1);
    expect(await status(id)).toBe('completed');
    expect((await ask(id, 'start')).body.data.status).toBe('active');
    expect(users.started.at(-1)).toMatchObject({ workflow_id: `campaign/${id}/2` });
  });
});

describe('pause, resume and cancel', () => {
  it('change the row and tell the workflow (Choices 7, 8)', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    expect((await ask(id, 'pause')).body.data).toMatchObject({
      status: 'paused',
      pauseReason: 'user',
      pausedAt: users.clock.at.toISOString(),
    });
    expect((await ask(id, 'resume')).body.data).toMatchObject({
      status: 'active',
      pauseReason: null,
      pausedAt: null,
    });
    expect((await ask(id, 'cancel')).body.data.status).toBe('cancelled');
    const [pause, resume, cancel] = users.signals;
    expect([pause, resume, cancel]).toEqual(
      ['pause', 'resume', 'cancel'].map((request) => expect.stringContaining(request)),
    );
    expect(users.signals.every((signal) => signal.startsWith(`campaign/${id} `))).toBe(true);
  });

  it('a pause tells its reason to clients, and going on takes the warning away', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    await users.database.db
      .updateTable('campaigns')
      .set({ warning: '2 % bounces' })
      .where('id', '=', id)
      .execute();
    expect((await ask(id, 'pause')).body.data).toMatchObject({
      pauseReason: 'user',
      warning: '2 % bounces',
    });
    const events = await users.database.db
      .selectFrom('events')
      .select('payload')
      .where('resource', '=', `campaign/${id}`)
      .where('type', '=', 'campaign.paused')
      .execute();
    expect(events).toMatchObject([{ payload: { campaignId: id, pauseReason: 'user' } }]);
    // Its run goes on: no other one is started.
    const started = users.started.length;
    expect((await ask(id, 'resume')).body.data).toMatchObject({ pauseReason: null, warning: null });
    expect(users.started).toHaveLength(started);
  });

  it('the same state again is 200, anything illegal 400 INVALID_STATE (Choice 8)', async () => {
    const { id } = await ann.campaign();
    for (const request of ['pause', 'resume']) {
      expect((await ask(id, request)).body.code).toBe('INVALID_STATE');
    }
    await ask(id, 'start');
    expect((await ask(id, 'resume')).status).toBe(200);
    await ask(id, 'pause');
    expect((await ask(id, 'pause')).status).toBe(200);
    expect((await ask(id, 'start')).body.code).toBe('INVALID_STATE');
    await ask(id, 'cancel');
    expect((await ask(id, 'cancel')).status).toBe(200);
    for (const request of ['start', 'pause', 'resume']) {
      expect((await ask(id, request)).body.code).toBe('INVALID_STATE');
    }
  });

  it('stopping works while Temporal is down: sending reads the row; going on is 502 and undone', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    users.temporal.failure = new Error('connection refused');
    expect((await ask(id, 'pause')).body.data.status).toBe('paused');
    expect((await ask(id, 'resume')).status).toBe(502);
    expect(await status(id)).toBe('paused');
    users.temporal.failure = NOT_FOUND;
    expect((await ask(id, 'resume')).body.data.status).toBe('active');
  });

  it('a campaign whose run ended early is resumed by the next run (nobody is lost)', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    const db = users.database.db;
    const error = { code: 'INTERNAL', message: 'something broke' };
    await db.transaction().execute(async (trx) => {
      await campaignRows.settle(trx, id, { outcome: 'failed', error });
    });
    await db
      .updateTable('operations')
      .set({ finished_at: new Date() })
      .where('workflow_id', '=', `campaign/${id}`)
      .execute();
    const paused = await ann.ok('GET', `/v1/campaigns/${id}`);
    expect(paused).toMatchObject({ status: 'paused', pauseReason: 'insufficient_data' });
    expect(paused.warning).toContain('something broke');
    expect((await ask(id, 'resume')).body.data).toMatchObject({ status: 'active', warning: null });
    expect(users.started.at(-1)).toMatchObject({ workflow_id: `campaign/${id}/2` });
  });
});

describe('PATCH /v1/campaigns/:id', () => {
  it('changes times and mailboxes of an active campaign, and wakes it (Choice 8)', async () => {
    const campaign = await ann.campaign();
    const [other] = await ann.mailboxes(1);
    await ask(campaign.id, 'start');
    const changed = await ann.ok('PATCH', `/v1/campaigns/${campaign.id}`, {
      timezone: 'Asia/Tokyo',
      startTime: '08:00',
      activeDays: ['sat'],
      assignedMailboxes: [other],
    });
    expect(changed).toMatchObject({
      timezone: 'Asia/Tokyo',
      startTime: '08:00',
      endTime: '17:00',
      activeDays: ['sat'],
      assignedMailboxes: [`${other}`],
      bodyTemplate: campaign.bodyTemplate,
    });
    expect(users.signals).toEqual([`campaign/${campaign.id} settingsChanged`]);
    const rows = await users.database.db
      .selectFrom('campaign_mailboxes')
      .select(['mailbox_id', 'out_reason'])
      .where('campaign_id', '=', campaign.id)
      .orderBy('mailbox_id')
      .execute();
    // Threads that it has begun go on from there.
    expect(rows.map(({ out_reason }) => out_reason)).toEqual(['removed', null]);
  });

  it('takes the text of a message that was sent, and of those after it (Choices 8, 68)', async () => {
    const steps = [{ order: 1, bodyTemplate: 'Reminder' }];
    const { id, assignedMailboxes } = await ann.campaign({ steps });
    await ask(id, 'start');
    const [lead] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    await noteSent(users, {
      campaignId: id,
      leadId: lead.leadId,
      mailboxId: Number(assignedMailboxes[0]),
    });
    const bodyTemplate = 'New';
    expect(await ann.ok('PATCH', `/v1/campaigns/${id}`, { bodyTemplate })).toMatchObject({
      bodyTemplate,
    });
    const next = [{ order: 1, bodyTemplate: 'Better reminder', delayDays: 7 }];
    const changed = await ann.ok('PATCH', `/v1/campaigns/${id}`, { steps: next });
    expect(changed.steps).toMatchObject(next);
  });

  describe('while follow-ups wait', () => {
    const DAY_MS = 86_400_000;
    const dayOf = (n: number) => new Date(MONDAY.getTime() + n * DAY_MS);

    /** An active campaign whose leads have had their first message, and what each is told. */
    async function waiting(order: object, { leads = 1, dueAt = dayOf(3) } = {}) {
      const { id, assignedMailboxes } = await ann.campaign(order, leads);
      await ask(id, 'start');
      const rows = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
      const leadIds: number[] = rows.map(({ leadId }: { leadId: number }) => leadId);
      const mailboxId = Number(assignedMailboxes[0]);
      for (const leadId of leadIds) {
        await noteSent(users, { campaignId: id, leadId, mailboxId });
        await setRecipient(id, leadId, {
          status: 'in_progress',
          step: 1,
          mailbox_id: mailboxId,
          due_at: dueAt,
        });
      }
      return {
        id,
        leadIds,
        mailboxId,
        change: (change: object) => ann.ok('PATCH', `/v1/campaigns/${id}`, change),
        dueOf: async (leadId: number) => (await recipientOf(id, leadId)).due_at,
      };
    }
    const recipientOf = (campaignId: number, leadId: number) =>
      users.database.db
        .selectFrom('recipients')
        .selectAll()
        .where('campaign_id', '=', campaignId)
        .where('lead_id', '=', leadId)
        .executeTakeFirstOrThrow();
    const setRecipient = (campaignId: number, leadId: number, change: object) =>
      users.database.db
        .updateTable('recipients')
        .set(change)
        .where('campaign_id', '=', campaignId)
        .where('lead_id', '=', leadId)
        .execute();

    it('a shorter sequence ends at once who has had its last message', async () => {
      const { id, leadIds, mailboxId, change } = await waiting(
        { maxFollowups: 2, followupDelayDays: 90 },
        { leads: 3, dueAt: dayOf(90) },
      );
      const [ended, further, sending] = leadIds as [number, number, number];
      await noteSent(users, { campaignId: id, leadId: further, mailboxId, step: 1 });
      await setRecipient(id, further, { step: 2, hold_reason: 'auto_reply' });
      // Its follow-up is under way: what comes of it is written by its end.
      await noteSent(users, { campaignId: id, leadId: sending, mailboxId, step: 1 });
      await users.database.db
        .updateTable('sends')
        .set({ state: 'sending' })
        .where('campaign_id', '=', id)
        .where('lead_id', '=', sending)
        .where('step', '=', 1)
        .execute();
      await change({ name: 'The same messages' });
      expect(await recipientOf(id, ended)).toMatchObject({ due_at: dayOf(90) });
      await change({ maxFollowups: 0 });
      for (const leadId of [ended, further]) {
        expect(await ann.ok('GET', `/v1/campaigns/${id}/leads/${leadId}`)).toMatchObject({
          status: 'completed',
          nextSendAt: null,
          holdReason: null,
          explanation: 'All messages were sent',
        });
      }
      expect(await recipientOf(id, sending)).toMatchObject({ status: 'in_progress' });
      expect(users.signals.at(-1)).toBe(`campaign/${id} settingsChanged`);
    });

    it('a changed delay moves the follow-ups that wait, never before who is away is back', async () => {
      const { id, leadIds, mailboxId, change, dueOf } = await waiting(
        {
          steps: [
            { order: 1, bodyTemplate: 'One' },
            { order: 2, bodyTemplate: 'Two', delayDays: 4 },
          ],
        },
        { leads: 4 },
      );
      const [waits, away, second, deferred] = leadIds as [number, number, number, number];
      await setRecipient(id, away, { hold_reason: 'auto_reply', due_at: dayOf(7) });
      await noteSent(users, { campaignId: id, leadId: second, mailboxId, step: 1 });
      await setRecipient(id, second, { step: 2, due_at: dayOf(4) });
      // Its server asked to try again soon.
      await noteSent(users, { campaignId: id, leadId: deferred, mailboxId, step: 1 });
      await users.database.db
        .updateTable('sends')
        .set({ state: 'deferred' })
        .where('campaign_id', '=', id)
        .where('lead_id', '=', deferred)
        .where('step', '=', 1)
        .execute();
      const dues = () => Promise.all([waits, away, second, deferred].map(dueOf));
      const { steps } = await change({ followupDelayDays: 9 });
      expect(steps).toMatchObject([{ delayDays: 9 }, { delayDays: 4 }]);
      expect(await dues()).toEqual([dayOf(9), dayOf(9), dayOf(4), dayOf(3)]);
      await change({ followupDelayDays: 1 });
      expect(await dues()).toEqual([dayOf(1), dayOf(9), dayOf(4), dayOf(3)]);
      await ask(id, 'pause');
      await change({
        steps: [
          { order: 1, bodyTemplate: 'One', delayDays: 2 },
          { order: 2, bodyTemplate: 'Two', delayDays: 6 },
        ],
      });
      expect(await dues()).toEqual([dayOf(2), dayOf(9), dayOf(6), dayOf(3)]);
    });
  });

  it('400 for times that do not fit each other, templates and foreign mailboxes, and keeps nothing', async () => {
    const { id } = await ann.campaign();
    const [foreign] = await bob.mailboxes(1);
    for (const change of [
      { endTime: '09:00' },
      { bodyTemplate: '{{nobody}}' },
      { name: 'New', assignedMailboxes: [foreign] },
    ]) {
      expect((await ann.call('PATCH', `/v1/campaigns/${id}`, change)).status).toBe(400);
    }
    expect(await ann.ok('GET', `/v1/campaigns/${id}`)).toMatchObject({
      ...MESSAGE,
      endTime: '17:00',
    });
  });

  it('one that sends is never archived: not put away, and taken out when it goes on', async () => {
    const { id } = await ann.campaign();
    const archive = () => ann.call('PATCH', `/v1/campaigns/${id}`, { archived: true });
    const isArchived = async () => (await ann.ok('GET', `/v1/campaigns/${id}`)).archived;
    await archive();
    await ask(id, 'start');
    expect(await isArchived()).toBe(false);
    expect((await archive()).body).toMatchObject({ code: 'INVALID_STATE' });
    await ask(id, 'pause');
    expect((await archive()).status).toBe(200);
    expect(await isArchived()).toBe(true);
    await ask(id, 'resume');
    expect(await isArchived()).toBe(false);
  });

  it('changes it in the statuses that are named alone, and in another one nothing (Choice 159)', async () => {
    const { id, name } = await ann.campaign();
    const path = `/v1/campaigns/${id}`;
    const change = (body: object) => ann.call('PATCH', path, body);
    const refused = await change({ name: 'No', ifStatus: ['paused', 'active'] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
    expect(refused.body.error).toBe('The campaign is draft, not paused or active');
    expect((await ann.ok('GET', path)).name).toBe(name);
    expect((await change({ name: 'Yes', ifStatus: ['draft', 'paused'] })).body.data.name).toBe(
      'Yes',
    );
    expect((await change({ name: 'No', ifStatus: [] })).body.code).toBe('VALIDATION_ERROR');
  });

  it('of a cancelled one changes name and archived alone', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'cancel');
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { name: 'Old', archived: true });
    const answer = await ann.call('PATCH', `/v1/campaigns/${id}`, { startTime: '08:00' });
    expect(answer.body.code).toBe('INVALID_STATE');
  });
});

describe('DELETE /v1/campaigns/:id and duplicate', () => {
  it('deletes a draft; one that sends is cancelled first (Choice 8)', async () => {
    const { id } = await ann.campaign();
    await ask(id, 'start');
    expect((await ann.call('DELETE', `/v1/campaigns/${id}`)).body.code).toBe('INVALID_STATE');
    await ask(id, 'cancel');
    await ann.ok('DELETE', `/v1/campaigns/${id}`);
    expect((await ann.call('GET', `/v1/campaigns/${id}`)).status).toBe(404);
  });

  it('keeps the messages of a deleted one: their links and limits go on (RFC 8058)', async () => {
    const { id, assignedMailboxes } = await ann.campaign();
    const [lead] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    const mailboxId = Number(assignedMailboxes[0]);
    await noteSent(users, { campaignId: id, leadId: lead.leadId, mailboxId });
    await ann.ok('DELETE', `/v1/campaigns/${id}`);
    expect((await ann.call('GET', `/v1/campaigns/${id}`)).status).toBe(404);
    const sends = await users.database.db
      .selectFrom('sends')
      .select('id')
      .where('campaign_id', '=', id)
      .execute();
    expect(sends).toHaveLength(1);
  });

  it('duplicates messages, times and mailboxes, and nobody who is in it', async () => {
    const steps = [{ order: 1, bodyTemplate: 'Reminder', delayDays: 2 }];
    const given = { steps, startTime: '10:00', trackOpens: true, language: 'nl' };
    const original = await ann.campaign(given);
    const answer = await ask(original.id, 'duplicate');
    expect(answer.status).toBe(201);
    const same = ['subjectTemplate', 'bodyTemplate', 'steps', 'assignedMailboxes', 'startTime'];
    for (const field of same) expect(answer.body.data[field]).toEqual(original[field]);
    expect(answer.body.data).toMatchObject({
      name: 'Spring (copy)',
      status: 'draft',
      trackOpens: true,
      language: 'nl',
      stats: { leads: 0 },
    });
  });
});
