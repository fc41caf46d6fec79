/** A recipient takes an unsubscription back: by the page's button alone, and nothing but their own act. Choice 155. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import { resubscriptionWordsOf } from '../../src/domain/sending/resubscription-words.ts';
import { PAGE_LANGUAGES } from '../../src/domain/sending/page-words.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../support/api/api.ts';
import { addSend } from '../support/campaigns/sends.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let world: CampaignUsers;
let api: TestApi;
let user: CampaignUser;
let people = 0;

beforeAll(async () => {
  world = await startCampaignUsers();
  api = world.api;
  user = await world.newUser();
});
afterAll(() => world?.close());

const BROWSER_FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = { body: 'List-Unsubscribe=One-Click', headers: BROWSER_FORM };
const BROWSER = {
  ...BROWSER_FORM,
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};
/** What the form of the page posts. */
const BY_PAGE = { body: 'List-Unsubscribe=One-Click&Asked-By=Page', headers: BROWSER };
const AGAIN = { body: 'Subscribe=Again', headers: BROWSER_FORM };

const pathOf = (url: string) => new URL(url).pathname;

/** A message to a new lead, with the path of its link to unsubscribe. */
async function newMessage(of = user) {
  const email = `person${(people += 1)}@client.test`;
  const { db } = world.database;
  const { rows } = await sql<{ id: number }>`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key, status)
    values (${of.userId}, 'P', 'X', 'p x', ${email}, ${email}, 'contacted') returning id`.execute(
    db,
  );
  const leadId = rows[0]!.id;
  const sendId = await addSend(db, { userId: of.userId, leadId });
  return { email, leadId, sendId, path: pathOf(api.context.recipientLinks.unsubscribeUrl(sendId)) };
}

type Message = Awaited<ReturnType<typeof newMessage>>;

/** Where the button of the page posts to; undefined where the page has none. */
function buttonOf({ body }: TestAnswer): string | undefined {
  const action = /<form method="post" action="([^"]+)"/.exec(body as string)?.[1];
  return action && new URL(action, 'https://outreach.test/u/token').pathname;
}

/** Unsubscribed by the page of the link; the path of the button. */
async function unsubscribed({ path }: Message): Promise<string> {
  const answer = await api.call('POST', path, BY_PAGE);
  expect(answer.status).toBe(200);
  return buttonOf(answer)!;
}

async function entryOf({ email }: Message, of = user) {
  const { data } = await of
    .call('GET', `/v1/suppressions?search=${email}`)
    .then(({ body }) => body);
  return data[0] as { id: number; reason: string; note: string | null } | undefined;
}

const leadStatus = async ({ leadId }: Message) =>
  (
    await world.database.db.selectFrom('leads').select('status').where('id', '=', leadId).execute()
  )[0]!.status;

const liftedOf = async ({ email }: Message) =>
  (await user.call('GET', `/v1/suppressions/lifted?search=${email}`)).body.data as object[];

const eventsOf = async ({ leadId }: Message) => {
  const events = world.database.db.selectFrom('events').selectAll().orderBy('id');
  return events.where('resource', '=', `lead/${leadId}`).execute();
};

const entriesOf = (path: string) =>
  user.call('GET', `/v1/audit-log?${path}`).then(({ body }) => body.data);

const happens = (sendId: number, outcome: Omit<SendOutcome, 'at'>, at = new Date()) =>
  world.database.db
    .transaction()
    .execute((trx) => recordSendOutcome(trx, sendId, { ...outcome, at }));

describe('the page that says somebody is unsubscribed', () => {
  it('offers to take it back, and its button does that', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    expect([await leadStatus(message), (await entryOf(message))?.reason]).toEqual([
      'unsubscribed',
      'unsubscribe',
    ]);
    const answer = await api.call('POST', button, AGAIN);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(answer.body).toContain('You are subscribed again');
    expect(answer.body).not.toMatch(/<form|<script|http/);
    expect(await entryOf(message)).toBeUndefined();
    expect(await leadStatus(message)).toBe('contacted');
  });

  it('speaks the language of the message, and English where that has no words', async () => {
    const message = await newMessage();
    for (const language of PAGE_LANGUAGES) {
      const words = resubscriptionWordsOf(language);
      const path = pathOf(api.context.recipientLinks.unsubscribeUrl(message.sendId, language));
      const done = await api.call('POST', path, BY_PAGE);
      expect(done.body).toContain(`<html lang="${language}"`);
      expect(done.body).toContain(`>${words.mistake}</button>`);
      const again = await api.call('POST', buttonOf(done)!, AGAIN);
      expect(again.body).toContain(`<html lang="${language}"`);
      expect(again.body).toContain(words.doneTitle);
    }
    expect(new Set(PAGE_LANGUAGES.map((each) => resubscriptionWordsOf(each).mistake)).size).toBe(
      PAGE_LANGUAGES.length,
    );
    expect(resubscriptionWordsOf('xx')).toEqual(resubscriptionWordsOf('en'));
  });

  it('offers nothing where the entry is not of the link', async () => {
    const [listed, gone] = [await newMessage(), await newMessage()];
    await user.ok('POST', '/v1/suppressions', { email: listed.email });
    expect(await unsubscribed(listed)).toBeUndefined();
    await world.database.db.deleteFrom('sends').where('id', '=', gone.sendId).execute();
    expect(await unsubscribed(gone)).toBeUndefined();
    expect(buttonOf(await api.call('POST', '/u/preview', BY_PAGE))).toBeUndefined();
  });

  it('offers it to who has made the entry, and to nobody who posts the link again', async () => {
    const message = await newMessage();
    expect(await unsubscribed(message)).toBeDefined();
    expect(await unsubscribed(message)).toBeUndefined();
    const leadId = message.leadId;
    const sendId = await addSend(world.database.db, { userId: user.userId, leadId });
    const path = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId));
    expect(await unsubscribed({ ...message, sendId, path })).toBeUndefined();
  });

  it.each<[string, object]>([
    ['a one-click request', { ...BY_PAGE, body: ONE_CLICK.body }],
    ['a request without a body', { headers: BROWSER }],
    ['a program', { ...BY_PAGE, headers: { ...BROWSER, 'user-agent': 'curl/8.5.0' } }],
    ['a bare browser', { ...BY_PAGE, headers: { ...BROWSER, 'user-agent': 'Mozilla/5.0' } }],
    ['who is not named', { ...BY_PAGE, headers: { ...BROWSER, 'user-agent': '' } }],
  ])('offers nothing to %s, which unsubscribes all the same', async (_, request) => {
    const message = await newMessage();
    const answer = await api.call('POST', message.path, request);
    expect([answer.status, buttonOf(answer)]).toEqual([200, undefined]);
    expect((await entryOf(message))?.reason).toBe('unsubscribe');
  });

  it('gets from the page for the question what it offers by', async () => {
    const { body } = await api.call('GET', (await newMessage()).path);
    const fields = [...(body as string).matchAll(/name="([^"]+)" value="([^"]+)"/g)];
    expect(fields.map(([, name, value]) => `${name}=${value}`).join('&')).toBe(BY_PAGE.body);
  });

  it('works at the name of a client, too, and in test mode', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    const { recipientLinks } = api.context;
    const token = button.slice('/r/'.length);
    expect(recipientLinks.ownToken(token, 'links.client.test')).toBe(token);
    // No other token of the installation's own name is good there.
    expect(recipientLinks.ownToken(message.path.slice('/u/'.length), 'links.client.test')).toBe(
      undefined,
    );
    const done = (await api.call('POST', (await newMessage()).path, BY_PAGE)).body as string;
    const action = /action="([^"]+)"/.exec(done)![1]!;
    const ofTestMode = new URL(action, 'https://outreach.test/test/u/token').pathname;
    expect(ofTestMode).toMatch(/^\/test\/r\/[\w-]+$/);
  });
});

describe('POST /r/:token', () => {
  it('tells the owner who did it: in the list, the audit log and an event', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    const { id } = (await entryOf(message))!;
    await api.call('POST', button, AGAIN);
    expect(await liftedOf(message)).toMatchObject([
      {
        suppressionId: id,
        reason: 'unsubscribe',
        note: null,
        liftedBy: 'recipient',
        liftedLeads: 1,
      },
    ]);
    const entries = await entriesOf('action=recipientLinks.resubscribe');
    expect(entries[0]).toMatchObject({
      actor: { kind: 'system', id: null, name: 'recipient' },
      source: { ipAddress: null, userAgent: null },
      resourceType: 'suppression',
      resourceId: String(id),
      before: { kind: 'email', reason: 'unsubscribe' },
      after: { sendId: message.sendId, liftedLeads: 1 },
    });
    const events = await eventsOf(message);
    expect(events.map(({ type }) => type)).toEqual(['email.unsubscribed', 'suppression.lifted']);
    const { sendId, leadId } = message;
    expect(events[1]!.payload).toMatchObject({ sendId, leadId, suppressionId: id });
    expect(JSON.stringify(events[1]!.payload)).not.toContain(message.email);
  });

  it('changes nothing when it is repeated, also at the same moment', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    const answers = await Promise.all([1, 2, 3].map(() => api.call('POST', button, AGAIN)));
    answers.push(await api.call('POST', button, AGAIN));
    for (const { body } of answers) expect(body).toContain('You are subscribed again');
    expect(await liftedOf(message)).toHaveLength(1);
    expect((await eventsOf(message)).map(({ type }) => type)).toEqual([
      'email.unsubscribed',
      'suppression.lifted',
    ]);
  });

  it('may be followed by another unsubscription, which is told, and can be taken back as well', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    await api.call('POST', button, AGAIN);
    const next = await unsubscribed(message);
    expect(await leadStatus(message)).toBe('unsubscribed');
    // The first button was for the first entry.
    expect((await api.call('POST', button, AGAIN)).body).toContain('stay unsubscribed');
    expect((await entryOf(message))?.reason).toBe('unsubscribe');
    await api.call('POST', next, AGAIN);
    expect([await entryOf(message), await leadStatus(message)]).toEqual([undefined, 'contacted']);
    const both = ['email.unsubscribed', 'suppression.lifted'];
    expect((await eventsOf(message)).map(({ type }) => type)).toEqual([...both, ...both]);
  });

  it('brings back what it has stopped in other campaigns, and not the one that it was about', async () => {
    const { db } = world.database;
    const message = await newMessage();
    const other = await addSend(db, { userId: user.userId, leadId: message.leadId });
    const button = await unsubscribed(message);
    // A claim has left them out.
    await sql`update recipients set hold_reason = 'suppressed', due_at = null, status = 'skipped'
      where campaign_id = (select campaign_id from sends where id = ${other})`.execute(db);
    await api.call('POST', button, AGAIN);
    const recipientOf = async (sendId: number) =>
      (
        await sql<{ status: string; isDue: boolean }>`
          select recipients.status, due_at is not null as "isDue" from recipients
          join sends using (campaign_id, lead_id) where sends.id = ${sendId}`.execute(db)
      ).rows[0];
    expect(await recipientOf(other)).toMatchObject({ isDue: true });
    expect(await recipientOf(message.sendId)).toEqual({ status: 'unsubscribed', isDue: false });
  });
});

describe('nothing else', () => {
  it('takes it back: no GET, no one-click request, no link of the message', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    const token = button.slice('/r/'.length);
    const own = message.path.slice('/u/'.length);
    for (const [method, path, request] of [
      ['GET', button, {}],
      ['HEAD', button, {}],
      ['POST', button, ONE_CLICK],
      ['POST', button, {}],
      ['POST', message.path, ONE_CLICK],
      ['POST', message.path, AGAIN],
      ['POST', `/r/${own}`, AGAIN],
      ['POST', `/u/${token}`, AGAIN],
      ['POST', `/r/${token.slice(0, -2)}AA`, AGAIN],
      ['POST', `/r/${token}A`, AGAIN],
      ['POST', '/r/preview', AGAIN],
    ] as const) {
      await api.call(method, path, request);
      expect((await entryOf(message))?.reason, `${method} ${path}`).toBe('unsubscribe');
    }
    for (const [method, path] of [
      ['GET', button],
      ['POST', `/r/${own}`],
      ['POST', `/u/${token}`],
    ] as const) {
      expect((await api.call(method, path, method === 'POST' ? AGAIN : {})).status).toBe(404);
    }
    expect(await liftedOf(message)).toEqual([]);
  });

  it('is lifted by the button of somebody else, of this account or another', async () => {
    const bob = await world.newUser();
    const [mine, another] = [await newMessage(), await newMessage()];
    const foreign = await newMessage(bob);
    await unsubscribed(mine);
    for (const message of [another, foreign])
      await api.call('POST', await unsubscribed(message), AGAIN);
    expect((await entryOf(mine))?.reason).toBe('unsubscribe');
    expect(await entryOf(foreign, bob)).toBeUndefined();
  });

  it.each<[string, (message: Message) => Promise<unknown>, string]>([
    ['a complaint', ({ sendId }) => happens(sendId, { kind: 'complained' }), 'complaint'],
    ['a bounce', ({ sendId }) => happens(sendId, { kind: 'bounced' }), 'unsubscribe'],
    [
      'an entry of the owner',
      ({ email }) => user.ok('POST', '/v1/suppressions', { email }),
      'unsubscribe',
    ],
    [
      'a wish in words',
      async ({ leadId }) =>
        happens(await addSend(world.database.db, { userId: user.userId, leadId }), {
          kind: 'unsubscribed',
        }),
      'unsubscribe',
    ],
  ])('is lifted where %s has come since', async (_, since, reason) => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    await since(message);
    const answer = await api.call('POST', button, AGAIN);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.stringContaining('stay unsubscribed'),
    ]);
    expect((await entryOf(message))?.reason).toBe(reason);
    expect(await leadStatus(message)).toBe('unsubscribed');
    expect(await liftedOf(message)).toEqual([]);
    // Neither does another click on the first link make it theirs.
    expect(await unsubscribed(message)).toBeUndefined();
  });

  it('is lifted where a bounce, a complaint or the owner came first', async () => {
    for (const first of [
      ({ sendId }: Message) => happens(sendId, { kind: 'bounced' }),
      ({ sendId }: Message) => happens(sendId, { kind: 'complained' }),
      ({ email }: Message) =>
        user.ok('POST', '/v1/suppressions', { email, reason: 'unsubscribe', note: 'called us' }),
    ]) {
      const message = await newMessage();
      await first(message);
      const before = (await entryOf(message))!;
      expect(await unsubscribed(message)).toBeUndefined();
      const token = api.context.recipientLinks.resubscribeToken(message.sendId, before.id);
      await api.call('POST', `/r/${token}`, AGAIN);
      expect((await entryOf(message))?.id).toBe(before.id);
    }
  });

  it('is lifted while a domain of the address is suppressed, and the page says so', async () => {
    const [message, later] = [await newMessage(), await newMessage()];
    const button = await unsubscribed(message);
    const { id } = await user.ok('POST', '/v1/suppressions', { domain: 'client.test' });
    expect((await api.call('POST', button, AGAIN)).body).toContain('stay unsubscribed');
    expect((await entryOf(message))?.reason).toBe('unsubscribe');
    expect(await liftedOf(message)).toEqual([]);
    expect(await unsubscribed(later)).toBeUndefined();
    await user.ok('DELETE', `/v1/suppressions/${id}`);
    expect((await api.call('POST', button, AGAIN)).body).toContain('subscribed again');
    expect(await leadStatus(message)).toBe('contacted');
  });

  it.each<['unsubscribed' | 'complained', string]>([
    ['unsubscribed', 'unsubscribe'],
    ['complained', 'complaint'],
  ])('outlasts another answer to the same message: %s', async (kind, reason) => {
    const { db } = world.database;
    const message = await newMessage();
    // The complaint is a second one, too.
    if (kind === 'complained') {
      await db
        .updateTable('sends')
        .set({ complained_at: new Date(0) })
        .where('id', '=', message.sendId)
        .execute();
    }
    const button = await unsubscribed(message);
    await happens(message.sendId, { kind });
    expect((await api.call('POST', button, AGAIN)).body).toContain('stay unsubscribed');
    expect((await entryOf(message))?.reason).toBe(reason);
  });

  it('is forgotten of a wish in words for a message whose unsubscription was taken back', async () => {
    const { db } = world.database;
    const message = await newMessage();
    const button = await unsubscribed(message);
    await api.call('POST', button, AGAIN);
    const before = await db.selectFrom('campaign_counters').selectAll().execute();
    await happens(message.sendId, { kind: 'unsubscribed' });
    expect([(await entryOf(message))?.reason, await leadStatus(message)]).toEqual([
      'unsubscribe',
      'unsubscribed',
    ]);
    expect((await eventsOf(message)).map(({ type }) => type)).toEqual([
      'email.unsubscribed',
      'suppression.lifted',
      'email.unsubscribed',
    ]);
    // Told once, counted once, and not to be taken back.
    await happens(message.sendId, { kind: 'unsubscribed' });
    expect(await eventsOf(message)).toHaveLength(3);
    expect(await db.selectFrom('campaign_counters').selectAll().execute()).toEqual(before);
    expect(await unsubscribed(message)).toBeUndefined();
    expect((await api.call('POST', button, AGAIN)).body).toContain('stay unsubscribed');
  });

  it.each(['unsubscribed', 'complained'] as const)(
    'is nothing new where the same message is read again: %s',
    async (kind) => {
      const message = await newMessage();
      const at = new Date(Date.now() - 60_000);
      await happens(message.sendId, { kind }, at);
      const { id } = (await entryOf(message))!;
      await user.ok('DELETE', `/v1/suppressions/${id}?note=Asked+by+telephone`);
      const before = await eventsOf(message);
      await happens(message.sendId, { kind }, at);
      expect([await entryOf(message), await leadStatus(message)]).toEqual([undefined, 'contacted']);
      expect(await eventsOf(message)).toEqual(before);
      await happens(message.sendId, { kind });
      expect(await entryOf(message)).toBeDefined();
    },
  );

  it('resumes the campaign of the link, whose owner had put the person back', async () => {
    const { db } = world.database;
    const message = await newMessage();
    await api.call('POST', await unsubscribed(message), AGAIN);
    const recipients = db
      .updateTable('recipients')
      .where('lead_id', '=', message.leadId)
      .set({ status: 'in_progress', due_at: new Date() });
    await recipients.execute();
    const button = await unsubscribed(message);
    await api.call('POST', button, AGAIN);
    const row = await db
      .selectFrom('recipients')
      .select(['status', 'due_at'])
      .where('lead_id', '=', message.leadId)
      .executeTakeFirst();
    expect(row).toEqual({ status: 'unsubscribed', due_at: null });
  });

  it('is lifted after 30 days', async () => {
    const [late, early] = [await newMessage(), await newMessage()];
    const buttons = [await unsubscribed(late), await unsubscribed(early)] as const;
    for (const [{ email }, days] of [
      [late, 31],
      [early, 29],
    ] as const) {
      await sql`update suppressions set created_at = now() - ${days} * interval '1 day'
        where value = ${email}`.execute(world.database.db);
    }
    expect((await api.call('POST', buttons[0], AGAIN)).body).toContain('stay unsubscribed');
    expect((await api.call('POST', buttons[1], AGAIN)).body).toContain('subscribed again');
    expect([(await entryOf(late))?.reason, await entryOf(early)]).toEqual([
      'unsubscribe',
      undefined,
    ]);
  });

  it('is lifted of a person who was erased', async () => {
    const message = await newMessage();
    const button = await unsubscribed(message);
    await user.call('POST', '/v1/erasures', { email: message.email });
    const answer = await api.call('POST', button, AGAIN);
    expect(answer.body).toContain('stay unsubscribed');
    const body = { emails: [message.email] };
    const [checked] = (await user.call('POST', '/v1/suppressions/check', body)).body.data;
    expect(checked).toMatchObject({ isSuppressed: true });
  });
});

it('is done as a whole or not at all, at whichever statement the process dies', async () => {
  const message = await newMessage();
  const button = await unsubscribed(message);
  const { db } = world.database;
  let left = 0;
  /** The connection is cut before the statement that is `left` statements away. */
  const dying = db.withPlugin({
    transformQuery({ node }) {
      if (left === 0) throw new Error('the process is gone');
      left -= 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const logger = pino({ level: 'silent' });
  const cut = await startTestApi({
    database: world.database,
    context: {
      ...api.context,
      db: dying,
      logger,
      httpStores: { ...api.context.httpStores, close: async () => undefined },
    },
    routes: (context) => createRoutes(context),
  });
  let deaths = 0;
  for (; ; deaths += 1) {
    left = deaths;
    const answer = await cut.call('POST', button, AGAIN);
    if (answer.status === 200) break;
    const state = [await leadStatus(message), (await entryOf(message))?.reason];
    expect(state).toEqual(['unsubscribed', 'unsubscribe']);
    expect([await liftedOf(message), (await eventsOf(message)).length]).toEqual([[], 1]);
  }
  expect(deaths).toBeGreaterThan(6);
  expect([await leadStatus(message), await entryOf(message)]).toEqual(['contacted', undefined]);
  expect(await liftedOf(message)).toHaveLength(1);
  await cut.close();
});
