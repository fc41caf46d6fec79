/** Answers that only their headers call a machine's wait for a person. Choice 34. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { areFirstMessagesDue } from '../../src/db/sending/unassigned-recipients.ts';
import { together } from '../../src/db/round-trips.ts';
import { dueLocks, readRecipients } from '../../src/db/sending/due-recipients.ts';
import type { Context } from '../../src/context.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => {
  // No campaign's workflow runs here.
  const temporal = {
    workflow: { getHandle: () => ({ signal: async () => undefined }) },
    withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
  };
  const context = { temporal: temporal as unknown as Context['temporal'] };
  return { context };
});

/** A recipient whose follow-up is due, and an answer of whom nobody knows. */
async function newDoubt() {
  const { db } = database;
  const one = await newSend(db);
  await sql`update recipients set due_at = now() - interval '1 minute', step = 1,
    mailbox_id = ${one.mailboxId}, status = 'in_progress' where lead_id = ${one.leadId}`.execute(
    db,
  );
  const doubtful = (id: string) =>
    rawMessage({
      id,
      from: one.lead,
      text: 'Hmm.',
      headers: { 'In-Reply-To': one.messageId, 'Auto-Submitted': 'auto-replied' },
    });
  await one.receive([doubtful('one@client.test')]);
  const token = await api.jwt(one.userId);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token, ...(body && { body }) });
  const waiting = async () =>
    (await call('GET', '/v1/inbox?kind=needs_review')).body.data.items as { id: number }[];
  const [{ id }] = (await waiting()) as [{ id: number }];
  const decide = (kind: string, messageId = id) =>
    call('PATCH', `/v1/inbox/${messageId}`, { kind });
  const recipient = () =>
    db
      .selectFrom('recipients')
      .select(['status', 'due_at', 'hold_reason'])
      .where('lead_id', '=', one.leadId)
      .executeTakeFirstOrThrow();
  const due = () =>
    db.transaction().execute(async (trx) => {
      const { campaignId, mailboxId } = one;
      const mailboxes = [{ mailboxId, slots: 5 }];
      const asked = { campaignId, now: new Date(), mailboxes, firsts: 0, hasThreads: true };
      const locked = await together(trx, dueLocks(asked));
      return readRecipients(trx, campaignId, locked.flat());
    });
  return { ...one, id, doubtful, call, waiting, decide, recipient, due };
}

describe('an answer that needs a review', () => {
  it('holds the sequence, says so, and is listed', async () => {
    const doubt = await newDoubt();
    expect(await doubt.recipient()).toMatchObject({ hold_reason: 'needs_review' });
    expect(await doubt.due()).toEqual([]);
    expect(await areFirstMessagesDue(database.db, doubt.campaignId, new Date())).toBe(false);
    const leads = await doubt.call('GET', `/v1/campaigns/${doubt.campaignId}/leads`);
    expect(leads.body.data[0]).toMatchObject({ nextSendAt: null });
    expect(await doubt.send()).toMatchObject({ replied_at: null, auto_replied_at: null });
  });

  it('ends the sequence once a person calls it a reply', async () => {
    const doubt = await newDoubt();
    const answer = await doubt.decide('reply');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: doubt.id, kind: 'reply' });
    expect(await doubt.recipient()).toMatchObject({ status: 'replied', due_at: null });
    expect((await doubt.send()).replied_at).not.toBeNull();
    expect(await doubt.waiting()).toEqual([]);
  });

  it('suppresses once a person calls it an unsubscription', async () => {
    const doubt = await newDoubt();
    expect((await doubt.decide('unsubscribe_request')).status).toBe(200);
    expect(await doubt.recipient()).toMatchObject({ status: 'unsubscribed', hold_reason: null });
    const { rows } = await sql`
      select 1 from suppressions where user_id = ${doubt.userId}`.execute(database.db);
    expect(rows).toHaveLength(1);
  });

  it('suppresses as a complaint once a person calls it one', async () => {
    const doubt = await newDoubt();
    expect((await doubt.decide('complaint')).body.data).toMatchObject({ kind: 'complaint' });
    expect(await doubt.recipient()).toEqual({
      status: 'unsubscribed',
      due_at: null,
      hold_reason: 'complained',
    });
    expect((await doubt.send()).complained_at).not.toBeNull();
    const { rows } = await sql`
      select reason, value from suppressions where user_id = ${doubt.userId}`.execute(database.db);
    expect(rows).toEqual([{ reason: 'complaint', value: doubt.lead }]);
    // Said twice, or otherwise: once decided it stays.
    expect((await doubt.decide('complaint')).status).toBe(200);
    expect((await doubt.decide('message')).body).toMatchObject({ code: 'INVALID_STATE' });
  });

  it('postpones the sequence once a person calls it an automatic answer', async () => {
    const doubt = await newDoubt();
    expect((await doubt.decide('auto_reply')).status).toBe(200);
    const { hold_reason, due_at } = await doubt.recipient();
    expect(hold_reason).toBe('auto_reply');
    expect(due_at!.getTime()).toBeGreaterThan(Date.now());
  });

  it('lets the sequence go on once a person calls it neither', async () => {
    const doubt = await newDoubt();
    expect((await doubt.decide('message')).status).toBe(200);
    expect(await doubt.recipient()).toMatchObject({ status: 'in_progress', hold_reason: null });
    expect(await doubt.due()).toHaveLength(1);
  });

  it('goes on holding while another one of the same lead waits', async () => {
    const doubt = await newDoubt();
    await doubt.receive([doubt.doubtful('two@client.test')]);
    await doubt.decide('message');
    expect(await doubt.recipient()).toMatchObject({ hold_reason: 'needs_review' });
    const [second] = (await doubt.waiting()) as [{ id: number }];
    await doubt.decide('message', second.id);
    expect(await doubt.recipient()).toMatchObject({ hold_reason: null });
  });

  it('stays held where an automatic answer comes after it', async () => {
    const doubt = await newDoubt();
    const headers = { 'In-Reply-To': doubt.messageId };
    await doubt.receive([rawMessage({ from: doubt.lead, subject: 'Out of office', headers })]);
    expect(await doubt.recipient()).toMatchObject({ hold_reason: 'needs_review' });
  });

  it('is shown once it is taken out of Junk, also where it was decided there', async () => {
    const { db } = database;
    const one = await newSend(db);
    const headers = { 'In-Reply-To': one.messageId, 'Auto-Submitted': 'auto-replied' };
    const text = rawMessage({ id: 'junk@client.test', from: one.lead, text: 'Hmm.', headers });
    await one.receive([text], 'junk');
    const { id, kind } = (await one.messages())[0]!;
    expect(kind).toBe('needs_review');
    // As of a complaint that nothing proves.
    await sql`update messages set facts = facts || '{"feedbackType": "abuse"}' where id = ${id}`.execute(
      db,
    );
    const token = await api.jwt(one.userId);
    const decided = await api.call('PATCH', `/v1/inbox/${id}`, {
      token,
      body: { kind: 'message' },
    });
    expect([decided.status, decided.body.data.facts]).toEqual([200, {}]);
    // The folders are read anew, INBOX first.
    await sql`delete from message_places where mailbox_id = ${one.mailboxId}`.execute(db);
    await one.receive([text]);
    const shown = (await one.messages()).map((each) => [each.kind, each.labels, each.facts]);
    expect(shown).toEqual([['message', [], {}]]);
  });

  it('may be decided again in the same words, not in others, and by nobody else', async () => {
    const doubt = await newDoubt();
    await doubt.decide('reply');
    expect((await doubt.decide('reply')).status).toBe(200);
    const other = await doubt.decide('message');
    expect([other.status, other.body.code]).toEqual([400, 'INVALID_STATE']);
    const stranger = await api.jwt('stranger');
    const foreign = await api.call('PATCH', `/v1/inbox/${doubt.id}`, {
      token: stranger,
      body: { kind: 'reply' },
    });
    expect(foreign.status).toBe(404);
  });
});

describe('message.received', () => {
  it('is told for every answer, not for the first alone, without what it says', async () => {
    const one = await newSend(database.db);
    const headers = { 'In-Reply-To': one.messageId };
    const texts = ['Tuesday works for me.', 'Or Wednesday?'];
    for (const text of texts) await one.receive([rawMessage({ from: one.lead, text, headers })]);
    await one.receive([rawMessage({ from: 'stranger@else.test', text: 'Buy this' })]);
    const events = await database.db
      .selectFrom('events')
      .select(['resource', 'payload'])
      .where('user_id', '=', one.userId)
      .where('type', '=', 'message.received')
      .orderBy('id')
      .execute();
    const ids = (await one.messages())
      .filter(({ direction, kind }) => direction === 'inbound' && kind === 'reply')
      .map(({ id }) => id);
    expect(events.map(({ payload }) => payload.inboxId)).toEqual(ids);
    expect(events[0]).toMatchObject({
      resource: `lead/${one.leadId}`,
      payload: { kind: 'reply', campaignId: one.campaignId, sendId: one.sendId },
    });
    expect(JSON.stringify(events)).not.toMatch(/Tuesday|client-0\.test/);
  });
});
