/** A campaign whose mailboxes were deleted: it says why it waits, and goes on with others. Choices 7, 8, 9. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { markMailboxesDeleted, releaseFromCampaign } from '../../src/transactions/teardown.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => {
  world = await startSessionWorld(['old.test', 'new.test', 'last.test', 'gone.test']);
  users = await startCampaignUsers();
  ann = await users.newUser();
});
afterAll(async () => {
  await users?.close();
  await world?.close();
});
beforeEach(() => {
  world.smtp.taken.length = 0;
  world.smtp.twist = () => undefined;
});

const boxes = (domain: string) => addMailboxes(users.api.context, ann.userId, { count: 2, domain });

/** A round over the users' database, which ends where it would wait. */
function run(campaignId: number) {
  const { db, cipher, clock } = users.api.context;
  const stop = new AbortController();
  const sleep = async () => stop.abort();
  return runSendingSession(
    world.tools({ db, cipher, clock, signal: stop.signal, sleep }),
    campaignId,
  );
}

/** As the teardown of a cluster does it. */
const deleteMailboxes = (campaignId: number, mailboxIds: number[]) =>
  users.database.db.transaction().execute(async (trx) => {
    await releaseFromCampaign(trx, campaignId, { mailboxIds, now: users.clock.at });
    for (const mailboxId of mailboxIds) await markMailboxesDeleted(trx, { mailboxId });
  });

const started = async (assignedMailboxes: number[], leads: number) => {
  const steps = [{ order: 1, bodyTemplate: 'Once more' }];
  const { id } = await ann.campaign({ assignedMailboxes, steps }, leads);
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return id as number;
};

const read = (id: number) => ann.ok('GET', `/v1/campaigns/${id}`);
const leadsOf = (id: number) => ann.ok('GET', `/v1/campaigns/${id}/leads`);

describe('a campaign whose mailboxes were all deleted', () => {
  it('pauses, says why, and goes on from others: threads end, first messages do not', async () => {
    const old = await boxes('old.test');
    const id = await started(old, 3);
    const [, , putOff] = await leadsOf(id);
    world.smtp.twist = (step, { to }) =>
      step === 'RCPT' && to === putOff.personEmail ? { reply: '451 4.7.1 later' } : undefined;
    await run(id);
    expect(world.smtp.taken).toHaveLength(2);
    await deleteMailboxes(id, old);

    expect(await run(id)).toMatchObject({ state: 'paused' });
    expect(await read(id)).toMatchObject({
      status: 'paused',
      pauseReason: 'no_mailbox',
      warning: expect.stringMatching(/m1@old\.test was deleted, m2@old\.test was deleted.*resume/),
      assignedMailboxes: [],
    });
    const [one, two, three] = await leadsOf(id);
    for (const thread of [one, two]) {
      expect(thread).toMatchObject({ status: 'failed', holdReason: 'no_mailbox', step: 1 });
      expect(thread.explanation).toMatch(/its mailbox was deleted, and a follow-up goes from no/);
    }
    expect(three).toMatchObject({ status: 'paused', holdReason: 'campaign_paused', step: 0 });
    expect(three.explanation).toMatch(/assign mailboxes that can send and resume/);
    const early = await ann.call('POST', `/v1/campaigns/${id}/resume`);
    expect([early.status, early.body.code]).toEqual([400, 'CAMPAIGN_NOT_READY']);
    expect(early.body.details[0].field).toBe('assignedMailboxes');

    const assignedMailboxes = await boxes('new.test');
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { assignedMailboxes });
    const resumed = await ann.ok('POST', `/v1/campaigns/${id}/resume`);
    expect(resumed).toMatchObject({ status: 'active', pauseReason: null, warning: null });
    world.smtp.twist = () => undefined;
    await run(id);
    expect(world.smtp.taken).toHaveLength(3);
    expect(world.smtp.taken[2]).toMatchObject({
      to: putOff.personEmail,
      user: expect.stringMatching(/@new\.test$/),
    });
    expect((await leadsOf(id)).map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'failed',
      'in_progress',
    ]);
  });

  it('can be cancelled', async () => {
    const old = await boxes('gone.test');
    const id = await started(old, 1);
    await deleteMailboxes(id, old);
    expect(await run(id)).toMatchObject({ state: 'paused' });
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    expect((await read(id)).status).toBe('cancelled');
    expect((await leadsOf(id))[0]).toMatchObject({ holdReason: 'campaign_cancelled' });
  });

  it('is completed where only threads were left, which end with them', async () => {
    const old = await boxes('last.test');
    const id = await started(old, 2);
    await run(id);
    expect(world.smtp.taken).toHaveLength(2);
    await deleteMailboxes(id, old);
    expect(await run(id)).toMatchObject({ isDone: true });
    expect(await read(id)).toMatchObject({ status: 'completed', pauseReason: null });
    expect((await leadsOf(id))[0]).toMatchObject({ status: 'failed', holdReason: 'no_mailbox' });
  });
});
