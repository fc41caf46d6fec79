/** What a message costs Postgres from its claim to its end, as a shard runs it, and that nothing is late by what is spared. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  runSendingSession,
  type SendingMemory,
} from '../../activities/campaigns/sending-session.ts';
import { hasCampaignChanged } from '../../src/db/campaigns/campaign-waits.ts';
import {
  addCampaign,
  addLeads,
  addMailboxes,
  addSender,
} from '../support/campaigns/campaign-world.ts';
import { watchRoundTrips } from '../support/database/round-trips.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const HOUR_MS = 3_600_000;
const GAP_MS = 600_000;
const LIMITS = {
  SEND_MIN_GAP_SECONDS: GAP_MS / 1_000,
  SEND_GAP_JITTER: 0,
  SEND_MAILBOX_DAILY_LIMIT: 50,
  SEND_MAILBOX_HOURLY_LIMIT: 10,
  SEND_DOMAIN_DAILY_LIMIT: 500,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 2,
  SEND_RETRY_MINUTES: [5, 30],
};

let world: SessionWorld;
let userId: string;
/** The round trips to Postgres, in order, transactions' begin and commit included. */
let asked: string[] = [];
beforeAll(async () => {
  watchRoundTrips((statements) => void asked.push(statements.join(';\n')));
  world = await startSessionWorld(['one.test', 'two.test', 'three.test', 'four.test', 'five.test']);
  userId = await addSender(world.database.db);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world?.close();
});
beforeEach(() => void (world.smtp.twist = () => undefined));

/** A campaign of which nobody is due for an hour, that a shard has looked at before. */
async function newCampaign(domain: string, { leads = 6, mailboxes = 5 } = {}) {
  const { db, cipher, attempt } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: mailboxes, domain });
  const dueAt = new Date(Date.now() + HOUR_MS);
  const { campaignId, leadIds } = await addCampaign(db, userId, { leads, mailboxIds, dueAt });
  const memory: SendingMemory = {};
  const session = async () => {
    memory.upkeepAt = 0;
    asked = [];
    const limits = { sessionMs: 25_000, idleMs: 2_000, memory, isNew: false };
    const result = await runSendingSession(world.tools({ attempt }, LIMITS), campaignId, limits);
    const statements = asked;
    const leftMs = new Date(result.nextAt ?? 0).getTime() - Date.now();
    return { result, leftMs, statements };
  };
  const makeDue = (count: number) =>
    db
      .updateTable('recipients')
      .set({ due_at: new Date(Date.now() - 1_000) })
      .where('campaign_id', '=', campaignId)
      .where('lead_id', 'in', leadIds.splice(0, count))
      .execute();
  await session();
  return { campaignId, session, makeDue };
}

const count = (statements: readonly string[], name: string) =>
  statements.filter((text) => text.includes(`/*${name}*/`)).length;

describe('a session', () => {
  it('claims once for a message, and asks nothing when it has ended', async () => {
    const { session, makeDue } = await newCampaign('one.test');
    await makeDue(1);
    const { statements, leftMs } = await session();
    expect(count(statements, 'insert-claims')).toBe(1);
    expect(count(statements, 'list-candidates')).toBe(1);
    expect(count(statements, 'earliest-due')).toBe(1);
    expect(statements.length).toBeLessThanOrEqual(15);
    // The others are due in an hour; mailboxes that are free again are noticed after ten minutes.
    expect(Math.abs(leftMs - GAP_MS)).toBeLessThan(10_000);
  });

  it('asks little where nobody is due', async () => {
    const { session } = await newCampaign('two.test');
    const { statements } = await session();
    expect(statements.join('\n')).not.toMatch(/from "users"|list-steps/);
    expect(statements.length).toBeLessThanOrEqual(5);
  });

  it('goes on when the gap of its mailbox ends, and has seen what it left', async () => {
    const { session, makeDue, campaignId } = await newCampaign('three.test', { mailboxes: 1 });
    await makeDue(2);
    const { db } = world.database;
    const { result, statements } = await session();
    expect(count(statements, 'list-candidates')).toBe(1);
    const { next_send_at: next } = await db
      .selectFrom('mailboxes')
      .innerJoin('campaign_mailboxes', 'mailbox_id', 'id')
      .select('next_send_at')
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
    expect(result).toMatchObject({
      nextAt: next!.toISOString(),
      progress: 'Its mailboxes are at a limit, in a gap, or resting',
    });
    const seen = result.seen!;
    expect(await hasCampaignChanged(db, campaignId, seen)).toBe(false);
    const [leadId] = await addLeads(db, userId, 1);
    await db
      .insertInto('recipients')
      .values({ campaign_id: campaignId, lead_id: leadId!, user_id: userId, due_at: new Date(0) })
      .execute();
    expect(await hasCampaignChanged(db, campaignId, seen)).toBe(true);
  });

  it('looks again when a message is due that its server has put off', async () => {
    const { session, makeDue } = await newCampaign('four.test');
    await makeDue(1);
    world.smtp.twist = (step) =>
      step === 'RCPT' ? { reply: '450 4.2.1 Greylisted, try again later' } : undefined;
    const { leftMs, statements } = await session();
    expect(count(statements, 'list-candidates')).toBe(1);
    expect(Math.abs(leftMs - 5 * 60_000)).toBeLessThan(10_000);
  });

  it('ends with the last message', async () => {
    const { session, makeDue } = await newCampaign('five.test', { leads: 2 });
    await makeDue(2);
    const { result } = await session();
    expect(result).toMatchObject({ isDone: true });
  });
});
