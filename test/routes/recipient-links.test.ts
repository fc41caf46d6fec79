/** Links in messages: the page asks, the POST acts, and nothing leads elsewhere. RFC 8058; choice 55. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { judgeFetches } from '../../activities/webhooks/judge-fetches.ts';
import { judgeDueFetches } from '../../src/transactions/link-fetches.ts';
import { recipientLinkRoutes } from '../../src/routes/sending/recipient-links.ts';
import { suppressionRoutes } from '../../src/routes/suppressions/suppressions.ts';
import { startLeadWorld, type LeadUser, type LeadWorld } from '../support/leads/lead-users.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addSend } from '../support/campaigns/sends.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

let world: LeadWorld;
let api: TestApi;
let user: LeadUser;
let messages = 0;

beforeAll(async () => {
  world = await startLeadWorld();
  const { database } = world;
  api = await startTestApi({
    database,
    routes: (context) => [...recipientLinkRoutes(context), ...suppressionRoutes(context)],
    context: { clock: { now: () => new Date(Date.now()) } },
  });
  user = await world.newUser();
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const pathOf = (url: string) => new URL(url).pathname;

async function newMessage() {
  const name = `Person${++messages}`;
  const { ids } = await user.add(`Company ${messages}`, [name]);
  const sendId = await addSend(world.database.db, { userId: user.userId, leadId: ids[0]! });
  const path = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId));
  return { sendId, leadId: ids[0]!, path, email: `person${messages}@company-${messages}.example` };
}

const isSuppressed = async (email: string) => {
  const body = { emails: [email] };
  const token = await api.jwt(user.userId);
  const answer = await api.call('POST', '/v1/suppressions/check', { token, body });
  return answer.body.data[0].isSuppressed as boolean;
};

const ONE_CLICK = {
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

const eventsOf = (type: string) =>
  world.database.db
    .selectFrom('events')
    .selectAll()
    .where('user_id', '=', user.userId)
    .where('type', '=', type as 'email.sent')
    .execute();

const BROWSER = {
  headers: {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  },
};

/** As if the message had been sent a minute ago, and these fetches been judged. */
async function judged(sendId: number): Promise<void> {
  const { db } = world.database;
  const sent_at = new Date(Date.now() - 60_000);
  const state = { state: 'sent' as const, sent_at };
  const sends = db.updateTable('sends').where('id', '=', sendId);
  await sends.set(state).where('state', '=', 'sent').execute();
  await judgeDueFetches(db, new Date(Date.now() + 30_000), { DAY_SECONDS: 86_400 });
  // What comes next comes later.
  await sql`update link_fetches set at = at - interval '1 hour'
    where send_id = ${sendId}`.execute(db);
}

/** What is noted of a message. */
async function noted(sendId: number): Promise<string[]> {
  const sends = world.database.db.selectFrom('sends').selectAll().where('id', '=', sendId);
  const row = await sends.executeTakeFirstOrThrow();
  return Object.entries(row)
    .filter(([name, value]) => /(opened|clicked)_at$/.test(name) && value !== null)
    .map(([name]) => name)
    .toSorted();
}

const counted = (sendId: number) =>
  world.database.db
    .selectFrom('campaign_counters')
    .innerJoin('sends', 'sends.campaign_id', 'campaign_counters.campaign_id')
    .select(['opened', 'clicked', 'machine_opened', 'machine_clicked'])
    .where('sends.id', '=', sendId)
    .executeTakeFirstOrThrow();

describe('GET /u/:token', () => {
  it('asks with a form and changes nothing, however often it is fetched', async () => {
    const { path, email } = await newMessage();
    for (let n = 0; n < 3; n++) {
      const answer = await api.call('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toMatch(/<form method="post">\s*<button type="submit"/);
      expect(answer.body).not.toMatch(/<script|<img|style=|http:|https:/);
    }
    expect(await isSuppressed(email)).toBe(false);
  });
});

describe('the pages', () => {
  it('speak the language of the message', async () => {
    const { sendId } = await newMessage();
    const path = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId, 'de'));
    const asked = await api.call('GET', path);
    expect(asked.body).toContain('<html lang="de">');
    expect(asked.body).toContain('Möchten Sie keine E-Mails mehr von diesem Absender?');
    const done = await api.call('POST', path, ONE_CLICK);
    expect(done.body).toContain('Sie sind abgemeldet');
    for (const [language, head, question] of [
      ['ar', '<html lang="ar" dir="rtl">', 'هل تريد التوقف عن تلقي الرسائل من هذا المرسل؟'],
      ['he', '<html lang="he" dir="rtl">', 'האם להפסיק לקבל הודעות מהשולח הזה?'],
      ['zh-Hant', '<html lang="zh-Hant">', '您不想再收到此寄件者的郵件嗎？'],
      ['uk', '<html lang="uk">', 'Ви більше не хочете отримувати листи від цього відправника?'],
    ] as const) {
      const page = await api.call(
        'GET',
        pathOf(api.context.recipientLinks.unsubscribeUrl(sendId, language)),
      );
      expect(page.body).toContain(head);
      expect(page.body).toContain(question);
    }
    // Of a language without words, and of messages from before there were any.
    for (const language of ['xx', undefined]) {
      const other = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId, language));
      expect((await api.call('GET', other)).body).toContain('<html lang="en">');
    }
  });
});

describe('/u/preview', () => {
  it('says that it belongs to a preview, whatever is asked of it', async () => {
    const before = await eventsOf('email.unsubscribed');
    for (const [method, request] of [
      ['GET', undefined],
      ['POST', ONE_CLICK],
    ] as const) {
      const answer = await api.call(method, '/u/preview', request);
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('belongs to a preview');
      expect(answer.body).not.toContain('<form');
    }
    expect(await eventsOf('email.unsubscribed')).toEqual(before);
  });
});

describe('POST /u/:token', () => {
  it('suppresses at once by one click, with no cookie and no redirect; a repeat changes nothing', async () => {
    const { path, email, leadId } = await newMessage();
    for (let n = 0; n < 2; n++) {
      const answer = await api.call('POST', path, ONE_CLICK);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.body).toContain('You are unsubscribed');
    }
    expect(await isSuppressed(email)).toBe(true);
    const events = await eventsOf('email.unsubscribed');
    expect(events.filter(({ payload }) => payload['leadId'] === leadId)).toHaveLength(1);
  });

  it('suppresses again when the first time was lifted', async () => {
    const { path, email } = await newMessage();
    await api.call('POST', path, ONE_CLICK);
    const token = await api.jwt(user.userId);
    const listed = await api.call('GET', `/v1/suppressions?search=${email}`, { token });
    const entry = `/v1/suppressions/${listed.body.data[0].id}`;
    await api.call('DELETE', `${entry}?note=asked+by+mail`, { token });
    expect(await isSuppressed(email)).toBe(false);
    await api.call('POST', path, ONE_CLICK);
    expect(await isSuppressed(email)).toBe(true);
  });

  it('takes the form as multipart too, and without a body', async () => {
    const [first, second] = [await newMessage(), await newMessage()];
    const form =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await api.call('POST', first.path, { body: form, headers })).status).toBe(200);
    expect((await api.call('POST', second.path)).status).toBe(200);
    expect(await isSuppressed(first.email)).toBe(true);
    expect(await isSuppressed(second.email)).toBe(true);
  });

  it('answers 200 for a lead, and for a campaign, that is deleted', async () => {
    const { path, leadId, sendId } = await newMessage();
    await user.ok('DELETE', `/v1/leads/${leadId}`);
    expect((await api.call('POST', path, ONE_CLICK)).status).toBe(200);
    await world.database.db.deleteFrom('sends').where('id', '=', sendId).execute();
    expect((await api.call('POST', path, ONE_CLICK)).status).toBe(200);
  });

  it('is a page of 404 for any other token, without a word on why', async () => {
    const { path, sendId } = await newMessage();
    const opened = pathOf(api.context.recipientLinks.openUrl(sendId)).replace('/t/', '/u/');
    const pages = new Set<string>();
    for (const bad of ['/u/1', `${path}A`, path.slice(0, -1), opened, `/u/${'x'.repeat(5_000)}`]) {
      for (const method of ['GET', 'POST']) {
        const answer = await api.call(method, bad);
        expect(answer.status).toBe(404);
        pages.add(answer.body);
      }
    }
    expect(pages.size).toBe(1);
    const large = { ...ONE_CLICK, body: 'x'.repeat(20_000) };
    expect((await api.call('POST', path, large)).status).toBe(400);
  });
});

describe('GET /t/:token', () => {
  it('notes an opening once and answers a picture that other sites may show', async () => {
    const { sendId } = await newMessage();
    const path = pathOf(api.context.recipientLinks.openUrl(sendId));
    await fetch(api.url + path, { method: 'HEAD' });
    await judged(sendId);
    expect(await eventsOf('email.opened')).toHaveLength(0);
    for (let n = 0; n < 2; n++) {
      const answer = await fetch(api.url + path, BROWSER);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/gif');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 6)).toBe('GIF89a');
    }
    expect(await eventsOf('email.opened')).toHaveLength(0);
    await judged(sendId);
    expect(await eventsOf('email.opened')).toHaveLength(1);
    expect(await noted(sendId)).toEqual(['machine_opened_at', 'opened_at']);
  });

  it('leads to the address of the message, and to no other', async () => {
    const { sendId } = await newMessage();
    const target = 'https://shop.example/angebot?a=1&b=%20';
    const path = pathOf(api.context.recipientLinks.clickUrl(sendId, target));
    const link = `${api.url}${path}?url=https://evil.test`;
    const answer = await fetch(link, { redirect: 'manual', ...BROWSER });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(target);
    await judged(sendId);
    const [event, ...others] = await eventsOf('email.clicked');
    expect([event!.payload['url'], others]).toEqual([target, []]);
    const other = await fetch(`${api.url}/t/${'A'.repeat(31)}`, { redirect: 'manual' });
    expect(other.status).toBe(404);
    expect(other.headers.get('location')).toBeNull();
  });

  it('counts a scanner apart: it opens nothing, clicks nothing and unsubscribes nobody', async () => {
    const { sendId, path: unsubscribe, email } = await newMessage();
    // Within seconds by the clock of the API, however late a busy machine is.
    takeClock().stop();
    const links = api.context.recipientLinks;
    const before = [await eventsOf('email.opened'), await eventsOf('email.clicked')];
    for (const url of [
      links.openUrl(sendId),
      links.clickUrl(sendId, 'https://shop.example/a'),
      links.clickUrl(sendId, 'https://shop.example/b'),
    ]) {
      const answer = await fetch(api.url + pathOf(url), { redirect: 'manual', ...BROWSER });
      // It gets what everybody gets: whoever it is for sees the page, and it finds nothing hidden.
      expect([200, 302]).toContain(answer.status);
    }
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'user-agent': 'Barracuda Sentinel (EE)' };
      expect((await fetch(api.url + unsubscribe, { method, headers })).status).toBe(200);
    }
    await judged(sendId);
    expect([await eventsOf('email.opened'), await eventsOf('email.clicked')]).toEqual(before);
    expect(await isSuppressed(email)).toBe(false);
    expect(await noted(sendId)).toEqual(['machine_clicked_at', 'machine_opened_at']);
    expect(await counted(sendId)).toMatchObject({
      opened: 0,
      clicked: 0,
      machine_opened: 1,
      machine_clicked: 1,
    });
    // The person comes later.
    await fetch(api.url + pathOf(links.openUrl(sendId)), BROWSER);
    await judged(sendId);
    expect(await noted(sendId)).toEqual(['machine_clicked_at', 'machine_opened_at', 'opened_at']);
  });

  it('proves nothing by a scanner: a message of unknown fate stays one', async () => {
    const { sendId } = await newMessage();
    takeClock().stop();
    const { db } = world.database;
    await db
      .updateTable('sends')
      .set({ state: 'uncertain', sent_at: null })
      .where('id', '=', sendId)
      .execute();
    const path = pathOf(api.context.recipientLinks.openUrl(sendId));
    const stateOf = async () =>
      (await db.selectFrom('sends').select('state').where('id', '=', sendId).executeTakeFirst())!
        .state;
    await fetch(api.url + path, { headers: { 'user-agent': 'Mozilla/5.0' } });
    await judged(sendId);
    expect(await stateOf()).toBe('uncertain');
    // With the words of a browser, seconds after the text was given to the host.
    await fetch(api.url + path, BROWSER);
    await judged(sendId);
    expect(await stateOf()).toBe('uncertain');
    expect(await noted(sendId)).toEqual(['machine_opened_at']);
    await sql`with sent as (
        update sends set claimed_at = claimed_at - interval '1 minute' where id = ${sendId})
      update send_texts set written_at = written_at - interval '1 minute'
      where send_id = ${sendId}`.execute(db);
    await fetch(api.url + path, BROWSER);
    await judged(sendId);
    expect(await stateOf()).toBe('sent');
  });

  it('keeps a row a second at most of each link, and none for long; judging may run twice', async () => {
    const { sendId } = await newMessage();
    const { db } = world.database;
    const path = pathOf(api.context.recipientLinks.openUrl(sendId));
    takeClock().stop();
    await Promise.all(Array.from({ length: 20 }, () => fetch(api.url + path, BROWSER)));
    const rows = () =>
      db.selectFrom('link_fetches').selectAll().where('send_id', '=', sendId).execute();
    expect(await rows()).toHaveLength(1);
    // Long after the message was sent, and before anything else is fetched.
    await db
      .updateTable('sends')
      .set({ sent_at: new Date(0) })
      .where('id', '=', sendId)
      .execute();
    const later = new Date(Date.now() + 90_000);
    const judge = () => judgeDueFetches(db, later, { DAY_SECONDS: 86_400 });
    await Promise.all([judge(), judge()]);
    await judge();
    expect(await rows()).toEqual([]);
    expect(await counted(sendId)).toMatchObject({ opened: 1, machine_opened: 0 });
    // Noted already: nothing to keep.
    await fetch(api.url + path, BROWSER);
    expect(await rows()).toEqual([]);
  });

  it('is judged beside the deliveries, until their round is over', async () => {
    const { sendId } = await newMessage();
    const path = pathOf(api.context.recipientLinks.openUrl(sendId));
    await fetch(api.url + path, BROWSER);
    const round = new AbortController();
    const later = { now: () => new Date(Date.now() + 30_000) };
    const judging = judgeFetches({ ...api.context, clock: later }, round.signal);
    // Within the seconds in which nobody reads.
    await expect.poll(() => noted(sendId)).toEqual(['machine_opened_at']);
    round.abort();
    await judging;
  });

  it('leads there, and shows the picture, while the database is down', async () => {
    const db = openDatabase('postgres://127.0.0.1:9/none', { poolSize: 1 });
    const cut = await startTestApi({
      database: world.database,
      routes: (context) => recipientLinkRoutes({ ...context, db }),
    });
    const target = 'https://shop.example/angebot';
    const click = pathOf(cut.context.recipientLinks.clickUrl(1, target));
    const opened = pathOf(cut.context.recipientLinks.openUrl(1));
    const answer = await fetch(cut.url + click, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, target]);
    expect((await fetch(cut.url + opened)).status).toBe(200);
    await cut.close();
    await db.destroy();
  });
});
