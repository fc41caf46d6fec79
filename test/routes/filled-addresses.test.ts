/** An address that an import fills in brings back who was left out for having none. Choice 151. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { followFilledAddresses } from '../../activities/campaigns/filled-addresses.ts';
import { serveStanding } from '../../activities/shards/standing-work.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  users.signals.length = 0;
  ann = await users.newUser();
});

const db = () => users.database.db;
const company = () => `Company ${randomUUID()}`;
const phone = (n: number) => `+1 212 555 ${String(1_000 + n)}`;

const person = (n: number, email?: string) => ({
  firstName: `Ann${n}`,
  lastName: 'Lee',
  phone: phone(n),
  ...(email && { email }),
});

/** The ids of the people, in their order. */
const importPeople = async (name: string, people: object[]): Promise<number[]> => {
  const body = { company_name: name, people };
  const { leads } = await ann.ok('POST', '/v1/leads', body);
  return leads.map(({ id }: { id: number }) => id);
};

/** In a campaign that has left them out, since their address was taken away. */
async function leftOut(leadIds: number[], { step = 0 } = {}): Promise<number> {
  const { id } = await ann.campaign({ maxFollowups: 1 }, 0);
  await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  await db()
    .updateTable('leads')
    .set({ email: null, email_key: null })
    .where('id', 'in', leadIds)
    .execute();
  await db()
    .updateTable('recipients')
    .set({ status: 'skipped', hold_reason: 'no_email', due_at: null, step })
    .where('campaign_id', '=', id)
    .execute();
  users.signals.length = 0;
  return id;
}

const read = (id: number, leadId: number) => ann.ok('GET', `/v1/campaigns/${id}/leads/${leadId}`);
const follow = (portion?: number) =>
  followFilledAddresses(users.api.context as never, undefined, portion);
const noted = () => db().selectFrom('filled_addresses').selectAll().execute();

describe('a lead that was left out for having no address', () => {
  it('comes back when an import fills one in, and its campaign is told', async () => {
    const name = company();
    const [leadId] = await importPeople(name, [person(1, 'a1@old.example')]);
    const id = await leftOut([leadId!]);
    expect(await importPeople(name, [person(1, 'one@filled.example')])).toEqual([leadId]);
    expect(await follow()).toBe(true);
    expect(await read(id, leadId!)).toMatchObject({ status: 'queued', step: 0, holdReason: null });
    expect(users.signals.map((signal) => signal.split(' ')[0])).toEqual([`campaign/${id}`]);
    expect(await noted()).toEqual([]);
    expect(await follow()).toBe(false);
  });

  it('is looked at by the worker that does what others wait for', async () => {
    const name = company();
    const [leadId] = await importPeople(name, [person(5, 'a5@old.example')]);
    const id = await leftOut([leadId!]);
    const work = serveStanding({ ...users.api.context, mailTransport: {} } as never, 'changes');
    try {
      await importPeople(name, [person(5, 'five@filled.example')]);
      const isBack = async () =>
        expect(await read(id, leadId!)).toMatchObject({ status: 'queued', holdReason: null });
      await vi.waitFor(isBack, { timeout: 40_000, interval: 200 });
    } finally {
      await work.stop();
    }
  });

  it('begins with the first message where its thread is one of another address', async () => {
    const name = company();
    const [leadId] = await importPeople(name, [person(2, 'a2@old.example')]);
    const id = await leftOut([leadId!], { step: 1 });
    await importPeople(name, [person(2, 'two@filled.example')]);
    await follow();
    expect(await read(id, leadId!)).toMatchObject({ status: 'queued', step: 0 });
  });

  it('stays out where another lead of the campaign has the address, and says so', async () => {
    const name = company();
    const [leadId] = await importPeople(name, [person(3, 'a3@old.example')]);
    const id = await leftOut([leadId!]);
    const others = await importPeople(company(), [
      { firstName: 'Bob', lastName: 'Lee', email: 'three@filled.example' },
    ]);
    await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds: others });
    await importPeople(name, [person(3, 'three@filled.example')]);
    await follow();
    expect(await read(id, leadId!)).toMatchObject({
      status: 'skipped',
      holdReason: 'duplicate_address',
    });
  });

  it('stays out where the address is suppressed, and says so', async () => {
    const name = company();
    const [leadId] = await importPeople(name, [person(4, 'a4@old.example')]);
    const id = await leftOut([leadId!]);
    await ann.ok('POST', '/v1/suppressions', { email: 'four@filled.example' });
    await importPeople(name, [person(4, 'four@filled.example')]);
    await follow();
    expect(await read(id, leadId!)).toMatchObject({ status: 'skipped', holdReason: 'suppressed' });
  });

  it('comes back with very many others, portion by portion', async () => {
    const group = (email: (n: number) => string) => ({
      userId: ann.userId,
      leadListId: null,
      source: 'csv',
      groups: [
        {
          company: { name: 'Many' },
          people: Array.from({ length: 120 }, (_, n) => ({
            firstName: `Eve${n}`,
            lastName: 'Li',
            phone: phone(100 + n),
            email: email(n),
          })),
        },
      ],
    });
    const before = await importGroups(db(), group((n) => `eve${n}@old.example`) as never);
    const leadIds = before.flatMap(({ people }) => people.map(({ leadId }) => leadId!));
    const id = await leftOut(leadIds);
    await importGroups(db(), group((n) => `eve${n}@filled.example`) as never);
    const isQueued = async () => {
      const rows = await db()
        .selectFrom('recipients')
        .select('lead_id')
        .where('campaign_id', '=', id)
        .where('status', '=', 'queued')
        .execute();
      return rows.length;
    };
    expect(await isQueued()).toBe(0);
    await follow(70);
    expect(await isQueued()).toBe(70);
    await follow(70);
    expect(await isQueued()).toBe(120);
    expect(await follow(70)).toBe(false);
  });
});
