/** Links in letters: the page asks, the POST acts, and nothing leads elsewhere. RFC 8058; choice 55. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { recipientLinkRoutes } from '../../src/routes/recipient-links.ts';
import { suppressionRoutes } from '../../src/routes/suppressions.ts';
import { startLeadWorld, type LeadUser, type LeadWorld } from '../support/lead-users.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { addSend } from '../support/sends.ts';

let world: LeadWorld;
let api: TestApi;
let user: LeadUser;
let letters = 0;

beforeAll(async () => {
  world = await startLeadWorld();
  const { database } = world;
  api = await startTestApi({
    database,
    routes: (context) => [...recipientLinkRoutes(context), ...suppressionRoutes(context)],
  });
  user = await world.newUser();
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const pathOf = (url: string) => new URL(url).pathname;

async function newLetter() {
  const name = `Person${++letters}`;
  const { ids } = await user.add(`Company ${letters}`, [name]);
  const sendId = await addSend(world.database.db, { userId: user.userId, leadId: ids[0]! });
  const path = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId));
  return { sendId, leadId: ids[0]!, path, email: `person${letters}@company-${letters}.example` };
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

describe('GET /u/:token', () => {
  it('asks with a form and changes nothing, however often it is fetched', async () => {
    const { path, email } = await newLetter();
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
  it('speak the language of the letter', async () => {
    const { sendId } = await newLetter();
    const path = pathOf(api.context.recipientLinks.unsubscribeUrl(sendId, 'de'));
    const asked = await api.call('GET', path);
    expect(asked.body).toContain('<html lang="de">');
    expect(asked.body).toContain('Möchten Sie keine E-Mails mehr von diesem Absender?');
    const done = await api.call('POST', path, ONE_CLICK);
    expect(done.body).toContain('Sie sind abgemeldet');
    // Of a language without words, and of letters from before there were any.
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
    const { path, email, leadId } = await newLetter();
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
    const { path, email } = await newLetter();
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
    const [first, second] = [await newLetter(), await newLetter()];
    const form =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await api.call('POST', first.path, { body: form, headers })).status).toBe(200);
    expect((await api.call('POST', second.path)).status).toBe(200);
    expect(await isSuppressed(first.email)).toBe(true);
    expect(await isSuppressed(second.email)).toBe(true);
  });

  it('answers 200 for a lead, and for a campaign, that is deleted', async () => {
    const { path, leadId, sendId } = await newLetter();
    await user.ok('DELETE', `/v1/leads/${leadId}`);
    expect((await api.call('POST', path, ONE_CLICK)).status).toBe(200);
    await world.database.db.deleteFrom('sends').where('id', '=', sendId).execute();
    expect((await api.call('POST', path, ONE_CLICK)).status).toBe(200);
  });

  it('is a page of 404 for any other token, without a word on why', async () => {
    const { path, sendId } = await newLetter();
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
    const { sendId } = await newLetter();
    const path = pathOf(api.context.recipientLinks.openUrl(sendId));
    await fetch(api.url + path, { method: 'HEAD' });
    expect(await eventsOf('email.opened')).toHaveLength(0);
    for (let n = 0; n < 2; n++) {
      const answer = await fetch(api.url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/gif');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 6)).toBe('GIF89a');
    }
    expect(await eventsOf('email.opened')).toHaveLength(1);
  });

  it('leads to the address of the letter, and to no other', async () => {
    const { sendId } = await newLetter();
    const target = 'https://shop.example/angebot?a=1&b=%20';
    const path = pathOf(api.context.recipientLinks.clickUrl(sendId, target));
    const answer = await fetch(`${api.url}${path}?url=https://evil.test`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(target);
    expect(await eventsOf('email.clicked')).toHaveLength(1);
    const other = await fetch(`${api.url}/t/${'A'.repeat(31)}`, { redirect: 'manual' });
    expect(other.status).toBe(404);
    expect(other.headers.get('location')).toBeNull();
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
