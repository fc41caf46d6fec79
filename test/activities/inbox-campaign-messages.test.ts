/** What a campaign has written stands in the thread of its answer, beside it. Choice 34. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listSendsOfLead } from '../../src/db/campaigns/campaign-leads.ts';
import { getUserThread } from '../../src/services/inbox/inbox.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { readCounts } from '../support/inbox/inbox-messages.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend, receiver, report } from '../support/inbox/inbox-sends.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
let mailboxId: number;
let receive: ReturnType<typeof receiver>;
beforeAll(async () => {
  world = await startSessionWorld(['threads.test']);
  const { db, cipher } = world.tools();
  userId = await addSender(db);
  [mailboxId] = (await addMailboxes({ db, cipher }, userId, {
    count: 1,
    domain: 'threads.test',
  })) as [number];
  receive = receiver(db, { userId, mailboxId, email: 'm1@threads.test' });
});
afterAll(() => world?.close());
beforeEach(() => {
  world.smtp.taken.length = 0;
  world.smtp.twist = () => undefined;
});

/** The first message of a campaign with one lead, as its host took it. */
async function sendFirst() {
  const { db } = world.database;
  const options = { leads: 1, mailboxIds: [mailboxId], followups: 1 };
  const { campaignId } = await addCampaign(db, userId, options);
  await world.run(campaignId);
  const sends = () =>
    db
      .selectFrom('sends')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .orderBy('step')
      .execute();
  const answer = async (headers: Record<string, string>, from = 'else@where.test') => {
    const subject = 'Re: something';
    await receive([rawMessage({ from, subject, headers, text: 'Yes please' })], 'inbox', {
      minutesAgo: 0,
    });
  };
  /** Makes whoever is in the sequence due, and sends. */
  const goOn = async () => {
    await db
      .updateTable('recipients')
      .set({ due_at: new Date(0) })
      .where('campaign_id', '=', campaignId)
      .where('due_at', 'is not', null)
      .execute();
    await db.updateTable('mailboxes').set({ next_send_at: null }).execute();
    await world.run(campaignId);
  };
  const threads = () =>
    db.selectFrom('threads').selectAll().where('campaign_id', '=', campaignId).execute();
  const read = async () => {
    const [thread] = await threads();
    const page = { limit: 20, offset: 0 };
    return getUserThread(world.tools(), { userId, id: thread!.id }, page);
  };
  return { campaignId, sends, answer, goOn, threads, read };
}

const idOf = (raw: string) => /^Message-ID: (<.*>)\r$/im.exec(raw)![1]!;

describe('the thread of an answer to a campaign', () => {
  it('has the message of the campaign as it was sent, and then the answer', async () => {
    const { sends, answer, read } = await sendFirst();
    const { raw, to } = world.smtp.taken[0]!;
    await answer({ 'In-Reply-To': idOf(raw) });
    const { thread, messages } = await read();
    expect(messages.map(({ message: each }) => [each.direction, each.kind])).toEqual([
      ['outbound', 'message'],
      ['inbound', 'reply'],
    ]);
    const [{ message: ours }] = messages as [(typeof messages)[number]];
    const [send] = await sends();
    expect(ours).toMatchObject({
      message_id: idOf(raw),
      from_address: 'm1@threads.test',
      from_name: 'Ann Example',
      to_addresses: [to],
      subject: send!.subject,
      is_read: true,
      send_id: send!.id,
      lead_id: send!.lead_id,
      in_reply_to: null,
    });
    const firstLine = ours.body_text.split('\n')[0]!;
    expect(firstLine).not.toBe('');
    expect(raw).toContain(firstLine);
    expect(ours.body_text).toContain('1 Main Street');
    expect(raw).toContain(`Date: ${ours.sent_at.toUTCString().replace('GMT', '+0000')}`);
    expect(thread).toMatchObject({ subject: send!.subject, messages_count: 2, unread_count: 1 });
    const { kept, counted, wrong } = await readCounts(world.database.db, userId);
    expect([kept, wrong]).toEqual([counted, 0]);
  });

  it('has all messages of the sequence, each once, however many answers come', async () => {
    const { answer, goOn, read, threads } = await sendFirst();
    await goOn();
    const [first, second] = world.smtp.taken.map(({ raw }) => idOf(raw));
    await answer({ 'In-Reply-To': second! });
    await answer({ 'In-Reply-To': second! });
    const { messages } = await read();
    expect(messages.map(({ message: each }) => each.direction)).toEqual([
      'outbound',
      'outbound',
      'inbound',
      'inbound',
    ]);
    const [one, two] = messages.map(({ message: each }) => each);
    expect([one!.message_id, two!.message_id]).toEqual([first, second]);
    expect([two!.in_reply_to, two!.reference_ids]).toEqual([first, [first]]);
    expect(await threads()).toHaveLength(1);
  });

  it('has a follow-up as soon as it is sent, without another answer', async () => {
    const { campaignId, answer, goOn, read, sends } = await sendFirst();
    const first = idOf(world.smtp.taken[0]!.raw);
    await answer({ 'In-Reply-To': first, Subject: 'Out of office' });
    await world.database.db
      .updateTable('recipients')
      .set({ hold_reason: null })
      .where('campaign_id', '=', campaignId)
      .execute();
    await goOn();
    const { thread, messages } = await read();
    expect(messages.map(({ message: each }) => [each.direction, each.kind])).toEqual([
      ['outbound', 'message'],
      ['inbound', 'auto_reply'],
      ['outbound', 'message'],
    ]);
    const [, second] = await sends();
    expect(messages[2]!.message).toMatchObject({
      message_id: second!.message_id,
      send_id: second!.id,
      in_reply_to: first,
      is_read: true,
    });
    expect(thread).toMatchObject({ messages_count: 3, unread_count: 1 });
    const { kept, counted, wrong } = await readCounts(world.database.db, userId);
    expect([kept, wrong]).toEqual([counted, 0]);
  });

  it('has both threads of mail where a follow-up has begun one of its own', async () => {
    const { campaignId, sends, answer, goOn, threads, read } = await sendFirst();
    const { db } = world.database;
    await db
      .insertInto('campaign_steps')
      .values({
        campaign_id: campaignId,
        position: 1,
        delay_days: null,
        subject_template: 'Another matter',
        body_template: 'A second question.',
      })
      .execute();
    await goOn();
    const [first, second] = await sends();
    const threadIds = async () =>
      (await listSendsOfLead(db, campaignId, first!.lead_id)).map(({ thread_id: id }) => id);
    expect(await threadIds()).toEqual([null, null]);
    await answer({ 'In-Reply-To': second!.message_id });
    await answer({ 'In-Reply-To': first!.message_id });
    // Two of mail, one of the inbox: what was written to a person stands together.
    const [thread, ...others] = await threads();
    expect([thread!.lead_id, others]).toEqual([first!.lead_id, []]);
    const { messages } = await read();
    expect(messages.map(({ message: { direction, subject } }) => [direction, subject])).toEqual([
      ['outbound', first!.subject],
      ['outbound', 'Another matter'],
      ['inbound', 'Re: something'],
      ['inbound', 'Re: something'],
    ]);
    const [, , toSecond, toFirst] = messages.map(({ message: each }) => each);
    expect([toSecond!.in_reply_to, toFirst!.in_reply_to]).toEqual([
      second!.message_id,
      first!.message_id,
    ]);
    // The lead's timeline in the campaign leads there from each message.
    expect(await threadIds()).toEqual([thread!.id, thread!.id]);
  });

  it('has a follow-up that was under way when the first answer came', async () => {
    const { answer, goOn, read } = await sendFirst();
    const first = idOf(world.smtp.taken[0]!.raw);
    let answered: Promise<void> | undefined;
    world.smtp.twist = (step) => {
      if (step === 'TEXT') answered ??= answer({ 'In-Reply-To': first });
      return undefined;
    };
    await goOn();
    await answered;
    const { messages } = await read();
    expect(messages.map(({ message: each }) => each.direction).toSorted()).toEqual([
      'inbound',
      'outbound',
      'outbound',
    ]);
  });

  it('shows what has changed since as it was sent', async () => {
    const { campaignId, answer, read } = await sendFirst();
    const { raw } = world.smtp.taken[0]!;
    const { db } = world.database;
    await db
      .updateTable('campaign_steps')
      .set({ subject_template: 'New', body_template: 'Quite new' })
      .where('campaign_id', '=', campaignId)
      .execute();
    await answer({ 'In-Reply-To': idOf(raw) });
    const { messages } = await read();
    expect(messages[0]!.message.body_text).not.toContain('Quite new');
    expect(raw).toContain(`Subject: ${messages[0]!.message.subject}\r\n`);
  });

  it('has a message whose end nobody knows, once it was answered', async () => {
    world.smtp.twist = (step) => (step === 'TEXT' ? 'before' : undefined);
    const { sends, answer, read } = await sendFirst();
    const [send] = await sends();
    expect(send!.state).toBe('uncertain');
    await answer({ 'In-Reply-To': send!.message_id });
    const { messages } = await read();
    expect(messages.map(({ message: each }) => each.message_id)[0]).toBe(send!.message_id);
    expect(messages).toHaveLength(2);
  });

  it('keeps the copy of the Sent folder, and takes no second one', async () => {
    const { answer, read } = await sendFirst();
    const { raw } = world.smtp.taken[0]!;
    await receive([raw], 'sent');
    await answer({ 'In-Reply-To': idOf(raw) });
    await receive([raw], 'sent');
    const { messages } = await read();
    expect(messages.map(({ message: each }) => each.direction)).toEqual(['outbound', 'inbound']);
    expect(messages[0]!.message.body_html).not.toBeNull();
  });

  it('has the message that a report is about', async () => {
    const { read } = await sendFirst();
    const head = world.smtp.taken[0]!.raw.split('\r\n\r\n')[0]!.replaceAll('\r\n', '\n');
    await receive([report('m1@threads.test', head)], 'inbox', { minutesAgo: 0 });
    const { thread, messages } = await read();
    expect(messages.map(({ message: each }) => [each.direction, each.kind])).toContainEqual([
      'inbound',
      'bounce',
    ]);
    expect(messages).toHaveLength(2);
    expect(thread.subject).toBe(
      messages.find(({ message: each }) => each.send_id)!.message.subject,
    );
  });

  it('is the answer alone where the text is not known', async () => {
    const one = await newSend(world.database.db);
    await one.receive([rawMessage({ headers: { 'In-Reply-To': one.messageId } })]);
    expect(await one.messages()).toHaveLength(1);
  });
});

it('keeps no text of a message that was not begun', async () => {
  world.smtp.twist = (step) => (step === 'RCPT' ? { reply: '550 5.1.1 unknown' } : undefined);
  const { campaignId } = await sendFirst();
  const texts = await world.database.db
    .selectFrom('send_texts')
    .innerJoin('sends', 'sends.id', 'send_id')
    .where('campaign_id', '=', campaignId)
    .selectAll()
    .execute();
  expect(texts).toEqual([]);
});
