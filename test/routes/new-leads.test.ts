/** The cap and the share of new leads over HTTP: set, shown, and told as why a lead waits. Choice 66. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  MESSAGE,
  MONDAY,
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
beforeEach(() => void (users.clock.at = MONDAY));

/** New York, its window opens at 09:00. */
const TOMORROW = '2027-03-02T14:00:00.000Z';

/** As sending would leave it: the first message is out, and nothing more is to come. */
async function noteFirst(campaignId: number, leadId: number, mailboxId: number): Promise<void> {
  await sql`
    with message as (
      insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, message_id,
        state, claimed_by, claimed_at, sent_at)
      select user_id, id, ${leadId}, 0, ${mailboxId}, 'client.test', ${`<${campaignId}-${leadId}@d.test>`},
        'sent', gen_random_uuid(), ${MONDAY}, ${MONDAY}
      from campaigns where id = ${campaignId})
    update recipients set status = 'completed', step = 1, due_at = null, mailbox_id = ${mailboxId}
    where campaign_id = ${campaignId} and lead_id = ${leadId}`.execute(users.database.db);
}

describe('maxNewLeadsPerDay and newLeadShare', () => {
  it('are set, changed, taken away and duplicated; none by default', async () => {
    const plain = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    expect(plain).toMatchObject({ maxNewLeadsPerDay: null, newLeadShare: null });
    const settings = { maxNewLeadsPerDay: 20, newLeadShare: 0 };
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...settings });
    expect(await ann.ok('GET', `/v1/campaigns/${id}`)).toMatchObject(settings);
    expect(await ann.ok('POST', `/v1/campaigns/${id}/duplicate`)).toMatchObject(settings);
    const changed = await ann.ok('PATCH', `/v1/campaigns/${id}`, { newLeadShare: 100 });
    expect(changed).toMatchObject({ maxNewLeadsPerDay: 20, newLeadShare: 100 });
    const none = { maxNewLeadsPerDay: null, newLeadShare: null };
    expect(await ann.ok('PATCH', `/v1/campaigns/${id}`, none)).toMatchObject(none);
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(warnings).not.toContainEqual(expect.objectContaining({ field: 'newLeadShare' }));
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { newLeadShare: 0 });
    const { warnings: warned } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(warned).toContainEqual(expect.objectContaining({ field: 'newLeadShare' }));
  });

  it.each([
    ['maxNewLeadsPerDay', 0],
    ['maxNewLeadsPerDay', 1.5],
    ['maxNewLeadsPerDay', '5'],
    ['newLeadShare', -1],
    ['newLeadShare', 101],
  ])('400 names %s where it is %s', async (field, value) => {
    const { id } = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    for (const [method, path] of [
      ['POST', '/v1/campaigns'],
      ['PATCH', `/v1/campaigns/${id}`],
    ] as const) {
      const answer = await ann.call(method, path, { ...MESSAGE, [field]: value });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: [{ field }] },
      });
    }
  });

  it('who waits for the next day is told so, and until when', async () => {
    const { id, assignedMailboxes } = await ann.campaign({ maxNewLeadsPerDay: 1 }, 2);
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const path = `/v1/campaigns/${id}/leads`;
    const [one, two] = await ann.ok('GET', path);
    const status = () => ann.ok('GET', `/v1/campaigns/${id}/sending-status`);
    expect(two).toMatchObject({ holdReason: null, nextSendAt: MONDAY.toISOString() });
    const nextDayAt = '2027-03-02T05:00:00.000Z';
    expect(await status()).toMatchObject({
      newLeads: { today: 0, limit: 1, nextDayAt },
      nextSendAt: MONDAY.toISOString(),
    });
    await noteFirst(id, one.leadId, Number(assignedMailboxes[0]));
    const waits = { holdReason: 'new_lead_limit', nextSendAt: TOMORROW };
    expect(await ann.ok('GET', `${path}/${two.leadId}`)).toMatchObject(waits);
    expect((await ann.ok('GET', path))[1]).toMatchObject(waits);
    expect(await status()).toMatchObject({ newLeads: { today: 1 }, nextSendAt: TOMORROW });
    users.clock.at = new Date(TOMORROW);
    expect(await ann.ok('GET', `${path}/${two.leadId}`)).toMatchObject({ holdReason: null });
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { newLeadShare: 0 });
    expect(await ann.ok('GET', `${path}/${two.leadId}`)).toMatchObject({
      holdReason: 'new_lead_limit',
      nextSendAt: null,
    });
    expect(await status()).toMatchObject({ newLeads: { limit: 0 }, nextSendAt: null });
  });

  it('who was put off today for any mailbox waits for no day: that is told', async () => {
    const { id, assignedMailboxes } = await ann.campaign({ maxNewLeadsPerDay: 1 }, 2);
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const path = `/v1/campaigns/${id}/leads`;
    const [one, two] = await ann.ok('GET', path);
    await noteFirst(id, one.leadId, Number(assignedMailboxes[0]));
    const soon = new Date(MONDAY.getTime() + 10 * 60_000);
    const { db } = users.database;
    await sql`update sends set state = 'deferred', sent_at = null where campaign_id = ${id}`.execute(
      db,
    );
    await sql`update recipients set status = 'queued', step = 0, due_at = ${soon}, mailbox_id = null,
      hold_reason = 'soft_bounce' where campaign_id = ${id} and lead_id = ${one.leadId}`.execute(
      db,
    );
    expect((await ann.ok('GET', path)).slice(0, 2)).toMatchObject([
      { leadId: one.leadId, holdReason: 'soft_bounce', nextSendAt: soon.toISOString() },
      { leadId: two.leadId, holdReason: 'new_lead_limit', nextSendAt: TOMORROW },
    ]);
    expect(await ann.ok('GET', `/v1/campaigns/${id}/sending-status`)).toMatchObject({
      newLeads: { today: 1 },
      nextSendAt: soon.toISOString(),
    });
  });
});
