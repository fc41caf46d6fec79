/** What leaves by SMTP: text alone where a campaign wants it so, and the signature of each mailbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import PostalMime from 'postal-mime';
import { sql } from 'kysely';
import { listSendsOfLead } from '../../src/db/campaigns/campaign-leads.ts';
import { readStats } from '../../src/db/campaigns/campaign-stats.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  world = await startSessionWorld(['sender.test']);
  const { db, cipher } = world.tools();
  userId = await addSender(db);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 2, domain: 'sender.test' });
});
afterAll(() => world?.close());
beforeEach(() => {
  world.smtp.taken.length = 0;
});

const parse = (raw: string) => PostalMime.parse(raw);

const HTML = '<p>Hi {{firstName|there}},</p><p><a href="https://acme.example/a?b=1">look</a></p>';

interface Sent {
  bodyTemplate?: string;
  settings?: Record<string, boolean>;
  signatures?: Record<number, string | null>;
  mailboxIds?: number[];
  leads?: number;
  followups?: number;
}

/** Sends a campaign's first messages for real and answers what the server has. */
async function send({ bodyTemplate = HTML, settings = {}, signatures = {}, ...rest }: Sent) {
  const { db } = world.database;
  for (const id of mailboxIds) {
    const signature = signatures[id] ?? null;
    await db.updateTable('mailboxes').set({ signature }).where('id', '=', id).execute();
  }
  const options = { leads: rest.leads ?? 1, mailboxIds: rest.mailboxIds ?? [mailboxIds[0]!] };
  const { campaignId } = await addCampaign(db, userId, { ...options, delayDays: 1, ...rest });
  await db
    .updateTable('campaigns')
    .set({ track_opens: true, track_clicks: true, ...settings })
    .where('id', '=', campaignId)
    .execute();
  await db
    .updateTable('campaign_steps')
    .set({ body_template: bodyTemplate })
    .where('campaign_id', '=', campaignId)
    .where('position', '=', 0)
    .execute();
  await world.run(campaignId);
  return { campaignId, messages: world.smtp.taken.map(({ raw }) => raw) };
}

const leadOf = async (campaignId: number) => {
  const { db } = world.database;
  const recipients = db.selectFrom('recipients').select('lead_id');
  const row = await recipients.where('campaign_id', '=', campaignId).executeTakeFirstOrThrow();
  return row.lead_id;
};

describe('a campaign with textOnly', () => {
  it('sends text/plain alone: no HTML, no pixel, no rewritten link, however it tracks', async () => {
    const { messages } = await send({ settings: { text_only: true } });
    const [raw] = messages;
    expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    expect(raw).not.toMatch(/multipart|text\/html|<p>|<a |<img|boundary/i);
    const { text, headers, html } = await parse(raw!);
    expect(html).toBeUndefined();
    expect(text).toContain('https://acme.example/a?b=1');
    expect(text).not.toContain('/t/');
    // The way out is as in every message: in the footer, by one click and by mail.
    expect(text).toMatch(/\n-- \nAnn Example\n.*\nUnsubscribe: https:\/\/outreach\.test\/u\/\S+/);
    expect(raw).toMatch(
      /^List-Unsubscribe:\s+<https:\/\/outreach\.test\/u\/[^>]+>,\s+<mailto:m1@sender/m,
    );
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(headers.filter(({ key }) => key === 'content-type')).toHaveLength(1);
  });

  it('sends both parts, with pixel and links of ours, without the setting', async () => {
    const { messages } = await send({});
    const { html, text } = await parse(messages[0]!);
    expect(html).toMatch(/<img src="https:\/\/outreach\.test\/t\//);
    expect(html).toMatch(/<a href="https:\/\/outreach\.test\/t\/[^"]+">look/);
    expect(text).toContain('look');
  });

  it('gives a message up of which no text is left, as one that is a picture alone', async () => {
    const bodyTemplate = '<p><img src="https://acme.example/offer.png" alt="Offer"></p>';
    const { campaignId, messages } = await send({ bodyTemplate, settings: { text_only: true } });
    expect(messages).toEqual([]);
    const { rows } = await sql<{ status: string; hold_reason: string }>`
      select status, hold_reason from recipients where campaign_id = ${campaignId}`.execute(
      world.database.db,
    );
    expect(rows).toEqual([{ status: 'failed', hold_reason: 'template_empty' }]);
  });
});

describe('a message that is refused as spam', () => {
  it('is counted as rejected, beside failed, with what the server said', async () => {
    world.smtp.twist = (step) =>
      step === 'TEXT' ? { reply: '550 5.7.1 Message detected as spam' } : undefined;
    const { campaignId } = await send({}).finally(() => (world.smtp.twist = () => undefined));
    const { db } = world.database;
    const stats = (await readStats(db, [campaignId])).get(campaignId);
    expect(stats).toMatchObject({ sent: 0, failed: 1, rejected: 1, bounced: 0 });
    const [row] = await listSendsOfLead(db, campaignId, await leadOf(campaignId));
    expect(row).toMatchObject({
      rejected_at: expect.any(Date),
      rejection: expect.stringContaining('spam'),
    });
  });
});

describe('the signature of a mailbox', () => {
  it('stands in both parts between the text and the footer, each mailbox with its own', async () => {
    const [one, two] = mailboxIds as [number, number];
    const { messages } = await send({
      bodyTemplate: 'Hi,\n\na question.',
      signatures: { [one]: 'Ann Lee\nSales, A & B', [two]: '<p><b>Bob</b> of <i>C</i></p>' },
      mailboxIds: [one, two],
      leads: 2,
    });
    const parsed = await Promise.all(messages.map((raw) => parse(raw)));
    const from = (name: string) =>
      parsed.find(({ from: sender }) => sender?.address?.startsWith(name))!;
    expect(from('m1@').text).toMatch(/a question\.\n\nAnn Lee\nSales, A & B\n\n-- \nAnn Example/);
    expect(from('m1@').html).toMatch(
      /<p>a question\.<\/p>\n<p>Ann Lee<br>\nSales, A &amp; B<\/p>\n<p style/,
    );
    expect(from('m2@').text).toMatch(/a question\.\n\nBob of C\n\n-- \nAnn Example/);
    expect(from('m2@').html).toContain('<p><b>Bob</b> of <i>C</i></p>');
    expect(from('m2@').text).not.toContain('Ann Lee');
  });

  it('stands where the template puts it, once, and is no template itself', async () => {
    const [one] = mailboxIds as [number];
    const signatures = { [one]: 'Ann {{firstName}} {a|b} <3' };
    const bodyTemplate = '<p>Hi,</p><div>{{signature}}</div><p>P.S. one more thing</p>';
    const { messages } = await send({ bodyTemplate, signatures });
    const { text, html } = await parse(messages[0]!);
    expect(text).toMatch(/Hi,\n+Ann \{\{firstName\}\} \{a\|b\} <3\n+P\.S\. one more thing\n\n-- /);
    expect(html).toMatch(
      /<div><p>Ann \{\{firstName\}\} \{a\|b\} &lt;3<\/p><\/div><p>P\.S\. one more thing<\/p>/,
    );
    expect(text!.split('{a|b}')).toHaveLength(2);
  });

  it('leaves no gap where a mailbox has none', async () => {
    const { messages } = await send({ bodyTemplate: 'Hi,\n\nBye\n{{signature}}' });
    expect((await parse(messages[0]!)).text).toMatch(/^Hi,\n\nBye\n\n-- \nAnn Example/);
  });

  it('is that of the other mailbox where a follow-up goes through another one', async () => {
    const [one, two] = mailboxIds as [number, number];
    const { db } = world.database;
    const signatures = { [one]: 'First of us', [two]: 'Second of us' };
    const { campaignId } = await send({ bodyTemplate: 'Hi', signatures, followups: 1 });
    const due = { due_at: new Date(0), mailbox_id: two };
    await db.updateTable('recipients').set(due).where('campaign_id', '=', campaignId).execute();
    await db
      .insertInto('campaign_mailboxes')
      .values({ campaign_id: campaignId, mailbox_id: two })
      .execute();
    await world.run(campaignId);
    const texts = await Promise.all(
      world.smtp.taken.map(async ({ raw }) => (await parse(raw)).text),
    );
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('First of us');
    expect(texts[1]).toContain('Second of us');
    expect(texts[1]).not.toContain('First of us');
  });

  it('is no text of its own: a message with nothing else is not sent', async () => {
    const [one] = mailboxIds as [number];
    const { messages } = await send({ bodyTemplate: '{{role}}', signatures: { [one]: 'Ann' } });
    expect(messages).toEqual([]);
  });
});
