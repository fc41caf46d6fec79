/** The results of a campaign as a file: whole, safe to open, and read page by page. */
import { request } from 'node:http';
import { once } from 'node:events';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { startTestApi } from '../support/api/api.ts';
import {
  MONDAY,
  noteSent,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
});
afterAll(() => users?.close());

const rowsOf = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, bom: true });

describe('GET /v1/campaigns/:id/export', () => {
  it('has a row for each lead with its state, its messages and what came of them', async () => {
    const campaign = await ann.campaign({ maxFollowups: 1 }, 3);
    const { id, assignedMailboxes } = campaign;
    const mailboxId = Number(assignedMailboxes[0]);
    const leads = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    const [one, two, three] = leads.map(({ leadId }: { leadId: number }) => leadId);
    const { db } = users.database;
    for (const [leadId, step] of [
      [one, 0],
      [one, 1],
      [two, 0],
    ]) {
      await noteSent(users, { campaignId: id, leadId, mailboxId, step });
    }
    await sql`update sends set opened_at = ${MONDAY}, machine_clicked_at = ${MONDAY},
      replied_at = ${MONDAY} where campaign_id = ${id} and lead_id = ${one} and step = 1`.execute(
      db,
    );
    await sql`update sends set rejected_at = ${MONDAY}, rejection = '=550 5.7.1 spam'
      where campaign_id = ${id} and lead_id = ${two}`.execute(db);
    await sql`update recipients set mailbox_id = ${mailboxId},
      status = case when lead_id = ${one} then 'replied' else 'failed' end, due_at = null,
      hold_reason = case when lead_id = ${two} then 'policy_rejection' end
      where campaign_id = ${id} and lead_id in (${one}, ${two})`.execute(db);
    await sql`update leads set first_name = '=cmd|x' where id = ${three}`.execute(db);

    const answer = await ann.call('GET', `/v1/campaigns/${id}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain(`campaign-${id}.csv`);
    const rows = rowsOf(answer.body);
    expect(rows.map(({ leadId }) => Number(leadId))).toEqual([one, two, three]);
    const at = MONDAY.toISOString();
    expect(rows[0]).toMatchObject({
      personFirstName: 'P0',
      personEmail: expect.stringMatching(/^p0-.*@client-0\.test$/),
      status: 'replied',
      mailbox: expect.stringMatching(/^m1@/),
      sent: '2',
      sentAt: `${at} ${at}`,
      opened: '1',
      machineOpened: '0',
      clicked: '0',
      machineClicked: '1',
      replied: '1',
      repliedAt: at,
      refusal: '',
    });
    expect(rows[1]).toMatchObject({
      status: 'failed',
      holdReason: 'policy_rejection',
      explanation: expect.stringMatching(/spam|policy/),
      refusal: "'=550 5.7.1 spam",
    });
    expect(rows[2]).toMatchObject({
      personFirstName: "'=cmd|x",
      status: 'queued',
      holdReason: 'campaign_not_started',
      sent: '0',
      sentAt: '',
      mailbox: '',
    });
  });

  it('tells what a report of a bounce said', async () => {
    const { id, assignedMailboxes } = await ann.campaign();
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    const mailboxId = Number(assignedMailboxes[0]);
    await noteSent(users, { campaignId: id, leadId, mailboxId });
    await sql`
      with send as (
        update sends set bounced_at = ${MONDAY} where campaign_id = ${id} returning id
      ), thread as (
        insert into threads (user_id, mailbox_id, subject, last_message_at)
        values (${ann.userId}, ${mailboxId}, 'x', now()) returning id
      )
      insert into messages (user_id, mailbox_id, thread_id, direction, kind, message_id,
        from_address, sent_at, send_id, facts)
      select ${ann.userId}, ${mailboxId}, thread.id, 'inbound', 'bounce', '<report@x.test>', '',
        now(), send.id, '{"status": "5.1.1"}' from send, thread`.execute(users.database.db);
    const { body } = await ann.call('GET', `/v1/campaigns/${id}/export`);
    expect(rowsOf(body)).toMatchObject([{ bouncedAt: MONDAY.toISOString(), refusal: '5.1.1' }]);
  });

  it('is a header for a campaign without leads, 404 for another account’s, 400 in another format', async () => {
    const { id } = await ann.campaign({}, 0);
    const path = `/v1/campaigns/${id}/export`;
    expect((await ann.call('GET', path)).body).toMatch(
      /^\uFEFF?leadId,personFirstName,[^\n]*\r\n$/,
    );
    const bob = await users.newUser();
    expect((await bob.call('GET', path)).status).toBe(404);
    expect((await ann.call('GET', `${path}?format=xlsx`)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'format' }],
    });
  });

  it('streams 20,000 rows; a reader who stops holds no connection to the database', async () => {
    const { id, assignedMailboxes } = await ann.campaign({}, 0);
    const leadIds = await ann.leads(20_000);
    for (let at = 0; at < leadIds.length; at += 10_000) {
      const some = leadIds.slice(at, at + 10_000);
      await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds: some });
    }
    await sql`
      insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
        message_id, subject, state, claimed_by, claimed_at, sent_at)
      select user_id, campaign_id, lead_id, 0, ${assignedMailboxes[0]}::bigint, 'client.test',
        '<' || campaign_id || '-' || lead_id || '>', 'Hello', 'sent', gen_random_uuid(),
        ${MONDAY}, ${MONDAY}
      from recipients where campaign_id = ${id}`.execute(users.database.db);
    const db = openDatabase(users.database.url, { poolSize: 1 });
    const api = await startTestApi({ database: users.database, context: { db } });
    const token = await api.jwt(ann.userId);
    const options = { headers: { authorization: `Bearer ${token}` }, highWaterMark: 1_024 };
    const asked = request(`${api.url}/v1/campaigns/${id}/export`, options).end();
    const [answer] = await once(asked, 'response');
    answer.pause();
    // The only connection is free for others while nobody takes what was written: who waits for one is refused.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await api.call('GET', `/v1/campaigns/${id}`, { token })).status).toBe(200);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    answer.resume();
    await once(answer, 'end');
    const rows = rowsOf(text);
    expect(rows).toHaveLength(20_000);
    expect(new Set(rows.map(({ leadId }) => leadId)).size).toBe(20_000);
    expect(rows.every(({ sent }) => sent === '1')).toBe(true);
    await api.close();
    await db.destroy();
  }, 60_000);
});
