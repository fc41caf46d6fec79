/** Campaigns in the zones of their recipients, over HTTP. Choice 128. */
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

describe('useRecipientTimezone', () => {
  it('is off by default, set, changed and duplicated', async () => {
    const plain = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    expect(plain).toMatchObject({ useRecipientTimezone: false });
    const on = { useRecipientTimezone: true };
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...on });
    expect(await ann.ok('POST', `/v1/campaigns/${id}/duplicate`)).toMatchObject(on);
    const off = { useRecipientTimezone: false };
    expect(await ann.ok('PATCH', `/v1/campaigns/${id}`, off)).toMatchObject(off);
    const refused = await ann.call('PATCH', `/v1/campaigns/${id}`, { useRecipientTimezone: 'yes' });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'useRecipientTimezone' }] },
    });
  });

  it('tells for each lead when their window opens, and the status for the whole', async () => {
    const { id } = await ann.campaign({ useRecipientTimezone: true }, 2);
    const path = `/v1/campaigns/${id}/leads`;
    const [tokyo, other] = await ann.ok('GET', path);
    await ann.ok('PATCH', `/v1/leads/${tokyo.id ?? tokyo.leadId}`, {
      personTimezone: 'asia/tokyo',
    });
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const nine = '2027-03-02T00:00:00.000Z';
    const of = async (lead: { id?: number; leadId?: number }) =>
      ann.ok('GET', `${path}/${lead.leadId ?? lead.id}`);
    expect(await of(tokyo)).toMatchObject({ holdReason: 'outside_window', nextSendAt: nine });
    expect(await of(other)).toMatchObject({ holdReason: null, nextSendAt: MONDAY.toISOString() });
    // Closed in New York, and yet somebody may be awake.
    users.clock.at = new Date('2027-03-02T03:00:00.000Z');
    expect(await of(tokyo)).toMatchObject({ nextSendAt: users.clock.at.toISOString() });
    expect(await ann.ok('GET', `/v1/campaigns/${id}/sending-status`)).toMatchObject({
      windowOpen: true,
    });
  });

  it('notes a change of times of such campaigns, and wakes them', async () => {
    const noted = async (id: number) => {
      const { times_changed_at: at } = await users.database.db
        .selectFrom('campaigns')
        .select('times_changed_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return at;
    };
    const plain = await ann.campaign({}, 1);
    await ann.ok('PATCH', `/v1/campaigns/${plain.id}`, { startTime: '06:00' });
    expect(await noted(plain.id)).toBeNull();
    const { id } = await ann.campaign({ useRecipientTimezone: true }, 1);
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { name: 'Another name', startTime: '09:00' });
    expect(await noted(id)).toBeNull();
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { startTime: '06:00' });
    expect(await noted(id)).toEqual(MONDAY);
    expect(users.signals).toContain(`campaign/${id} settingsChanged`);
  });

  it('is warned of where first messages may take the places of follow-ups', async () => {
    const { id } = await ann.campaign({ useRecipientTimezone: true }, 1);
    const warned = async () =>
      (await ann.ok('GET', `/v1/campaigns/${id}/preflight`)).warnings.map(
        ({ field }: { field: string }) => field,
      );
    expect(await warned()).toContain('newLeadShare');
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { newLeadShare: 60 });
    expect(await warned()).not.toContain('newLeadShare');
  });
});
