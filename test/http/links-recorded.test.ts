/** What recipients do at links on a client's own name is noted as at the installation's own. Choice 131. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { judgeDueFetches } from '../../src/transactions/link-fetches.ts';
import type { CampaignUser } from '../support/campaigns/campaign-users.ts';
import { startLinkWorld, type LinkWorld } from '../support/campaigns/link-world.ts';
import { addSend } from '../support/campaigns/sends.ts';

const TARGET = 'https://shop.example/offer?a=1&b=%20';
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = { method: 'POST', headers: FORM, body: 'List-Unsubscribe=One-Click' };

let world: LinkWorld;
let ann: CampaignUser;
let bob: CampaignUser;
beforeAll(async () => {
  world = await startLinkWorld();
  ann = await world.users.newUser();
  bob = await world.users.newUser();
});
afterAll(() => world?.close());

const linksAt = (name?: string) =>
  world.users.api.context.recipientLinks.at(name && `https://${name}`);
const pathOf = (url: string) => new URL(url).pathname;

/** A message of an account, sent a minute ago. */
async function newMessage(user: CampaignUser) {
  const { db } = world.users.database;
  const [leadId] = await user.leads(1);
  const sendId = await addSend(db, { userId: user.userId, leadId: leadId! });
  const sent_at = new Date(world.users.clock.at.getTime() - 60_000);
  const send = await db
    .updateTable('sends')
    .set({ sent_at, claimed_at: sent_at })
    .where('id', '=', sendId)
    .returning('campaign_id')
    .executeTakeFirstOrThrow();
  const lead = await user.ok('GET', `/v1/leads/${leadId}`);
  return { sendId, campaignId: send.campaign_id!, email: lead.personEmail as string };
}

/** What the API tells of it, once fetches that are due were judged. */
async function noted(user: CampaignUser, campaignId: number) {
  const later = new Date(world.users.clock.at.getTime() + 30_000);
  await judgeDueFetches(world.users.database.db, later, { DAY_SECONDS: 86_400 });
  const stats = await user.ok('GET', `/v1/campaigns/${campaignId}/analytics`);
  const { opened, clicked, unsubscribed } = stats;
  return { opened, clicked, unsubscribed };
}

async function suppressed(user: CampaignUser, email: string): Promise<boolean> {
  const [checked] = await user.ok('POST', '/v1/suppressions/check', { emails: [email] });
  return checked.isSuppressed;
}

/** Once there is one: an event is listed as soon as no transaction of before is open any more. */
const toldOf = (user: CampaignUser, type: string) =>
  vi.waitFor(async () => {
    const { body } = await user.call('GET', `/v1/events?types=${type}`);
    expect(body.data).not.toEqual([]);
    return body.data;
  }, 40_000);

const NOTHING = { opened: 0, clicked: 0, unsubscribed: 0 };

describe('a link on a client’s own name', () => {
  it('notes an opening, and shows the picture', async () => {
    const { name } = await world.addName({ user: ann });
    const { sendId, campaignId } = await newMessage(ann);
    const path = pathOf(linksAt(name).openUrl(sendId));
    const answer = await world.byTls(name, path, { headers: BROWSER });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif']);
    expect(answer.text.slice(0, 6)).toBe('GIF89a');
    expect(await noted(ann, campaignId)).toEqual({ ...NOTHING, opened: 1 });
    expect(await toldOf(ann, 'email.opened')).toHaveLength(1);
  });

  it('notes a click, and leads to the address of the message', async () => {
    const { name } = await world.addName({ user: ann });
    const { sendId, campaignId } = await newMessage(ann);
    const path = pathOf(linksAt(name).clickUrl(sendId, TARGET));
    const answer = await world.byTls(name, `${path}?url=https://evil.test`, { headers: BROWSER });
    expect([answer.status, answer.headers.location]).toEqual([302, TARGET]);
    expect(await noted(ann, campaignId)).toMatchObject({ clicked: 1, unsubscribed: 0 });
    const [event, ...others] = await toldOf(ann, 'email.clicked');
    expect([event.data.url, others]).toEqual([TARGET, []]);
  });

  it('asks whether to unsubscribe, and does it by one click', async () => {
    const { name } = await world.addName({ user: ann });
    const { sendId, campaignId, email } = await newMessage(ann);
    const path = pathOf(linksAt(name).unsubscribeUrl(sendId));
    const page = await world.byTls(name, path);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<form method="post">/);
    expect(await suppressed(ann, email)).toBe(false);
    const done = await world.byTls(name, path, ONE_CLICK);
    expect([done.status, done.headers.location]).toEqual([200, undefined]);
    expect(await suppressed(ann, email)).toBe(true);
    expect(await noted(ann, campaignId)).toEqual({ ...NOTHING, unsubscribed: 1 });
  });

  it('lets the unsubscription be taken back, by the button of the page', async () => {
    const { name } = await world.addName({ user: ann });
    const { sendId, email } = await newMessage(ann);
    const path = pathOf(linksAt(name).unsubscribeUrl(sendId));
    const asked = { body: `${ONE_CLICK.body}&Asked-By=Page`, headers: { ...FORM, ...BROWSER } };
    const { text } = await world.byTls(name, path, { ...ONE_CLICK, ...asked });
    const action = /action="([^"]+)"/.exec(text)?.[1] ?? '';
    const button = pathOf(new URL(action, `https://${name}${path}`).href);
    const pressed = { ...ONE_CLICK, body: 'Subscribe=Again' };
    expect((await world.byTls(name, button)).status).toBe(404);
    expect(await suppressed(ann, email)).toBe(true);
    expect((await world.byTls(name, button, pressed)).status).toBe(200);
    expect(await suppressed(ann, email)).toBe(false);
  });

  it('is served at no name of another account, where nothing is noted', async () => {
    const { name } = await world.addName({ user: ann });
    const { name: foreign } = await world.addName({ user: bob });
    const { sendId, campaignId, email } = await newMessage(bob);
    const links = linksAt(foreign);
    const urls = [links.openUrl(sendId), links.clickUrl(sendId, TARGET)];
    for (const url of urls) {
      expect(url.startsWith(`https://${foreign}/t/`)).toBe(true);
      const answer = await world.byTls(name, pathOf(url), { headers: BROWSER });
      expect([answer.status, answer.headers.location]).toEqual([404, undefined]);
    }
    const path = pathOf(links.unsubscribeUrl(sendId));
    expect((await world.byTls(name, path)).status).toBe(404);
    expect((await world.byTls(name, path, ONE_CLICK)).status).toBe(404);
    expect(await noted(bob, campaignId)).toEqual(NOTHING);
    expect(await suppressed(bob, email)).toBe(false);

    // At its own name each of them works.
    for (const url of urls) {
      expect((await world.byTls(foreign, pathOf(url), { headers: BROWSER })).status).toBeLessThan(
        400,
      );
    }
    expect((await world.byTls(foreign, path, ONE_CLICK)).status).toBe(200);
    expect(await noted(bob, campaignId)).toMatchObject({ clicked: 1, unsubscribed: 1 });
  });
});
