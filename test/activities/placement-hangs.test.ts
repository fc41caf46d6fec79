/** Placement tests whose servers hang: all is decided within ten minutes of the order. Choice 124. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { placementTestActivities } from '../../activities/placement/placement-tests.ts';
import type { Context } from '../../src/context.ts';
import type {
  ImapSession,
  MailTransport,
  SubmissionSession,
} from '../../src/providers/mail-transport/port.ts';
import { SEED_HOST, SEED_PASSWORD } from '../../src/sandbox/warmup-seeds.ts';
import { createSeed } from '../../src/services/placement/placement-seeds.ts';
import {
  getPlacementTest,
  startPlacementTest,
} from '../../src/services/placement/placement-tests.ts';
import { addCampaign, addSender } from '../support/campaigns/campaign-world.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const PROMISED_MS = 600_000;
/** Nothing goes on for so long: a test that still does has no end. */
const ENDLESS_MS = 1_500_000;
const STEP_MS = 1_000;
const AT_ONCE = 10;

let world: WarmupWorld;
let context: Context;
let userId: string;
let campaignId: number;
/** What hangs now. */
let hanging: number;
/** The time of the product, beside that of the database. */
let elapsedMs: number;
let startedAt: number;

beforeAll(async () => {
  world = await startWarmupWorld({ SEND_MAILBOX_DAILY_LIMIT: '90' });
  context = { ...world.context, startOperation: async () => true };
});
afterAll(() => world?.close());
beforeEach(async () => {
  const { db } = context;
  userId = await addSender(db);
  const mailboxId = world.tenants[0]!.mailboxIds[0]!;
  await db.updateTable('mailboxes').set({ user_id: userId }).where('id', '=', mailboxId).execute();
  await db.updateTable('placement_messages').set({ claimed_at: null }).execute();
  ({ campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds: [mailboxId] }));
  [hanging, elapsedMs, startedAt] = [0, 0, Date.now()];
});
afterEach(() => vi.useRealTimers());

const clock = { now: () => new Date(startedAt + elapsedMs) };
const never = () => new Promise<never>(() => undefined);

/** Hangs until it is closed, which happens to it once. */
function hang(): { wait: () => Promise<never>; close: () => void } {
  let hangs = false;
  return {
    wait() {
      hangs = true;
      hanging += 1;
      return never();
    },
    close() {
      if (hangs) hanging -= 1;
      hangs = false;
    },
  };
}

/** Seeds take logins and messages, and then say nothing more. */
const hangingSeeds = (): Partial<MailTransport> => ({
  checkImap: async () => undefined,
  async openImap() {
    const { wait, close } = hang();
    return { folders: wait, close: async () => close() } as unknown as ImapSession;
  },
  openSubmission: async () => taking(),
});

const taking = (): SubmissionSession => ({
  async send(_message, beforeText) {
    await beforeText();
    return { reply: '250 ok', refused: [] };
  },
  isUsable: () => true,
  close: () => undefined,
});

async function ordered(seeds: number): Promise<number> {
  for (let n = 0; n < seeds; n += 1) {
    const address = `seed-${n}@${userId}.test`;
    await createSeed(context, userId, {
      address,
      provider: 'other',
      password: SEED_PASSWORD,
      username: address,
      imap: { host: SEED_HOST, port: 993, tls: 'tls' },
    });
  }
  const order = { campaignId, step: 0, minInboxPercent: 80, holdOnBadPlacement: false };
  return (await startPlacementTest(context, userId, order)).view.test.id;
}

const turnOf = (testId: number, looks: number, means: Partial<Context>) => {
  const logger = pino({ level: 'silent' });
  const activities = placementTestActivities({ ...context, clock, logger, ...means });
  const input = { operationId: 1, testId, looks, retryPace: 1 };
  type Taken = ReturnType<typeof activities.takePlacementTurn>;
  return activityEnvironment().run(
    (of: typeof input) => activities.takePlacementTurn(of),
    input,
  ) as Taken;
};

/** Time passes where all that can hang hangs, so that it does not matter how fast this machine is. */
async function passing<T>(work: Promise<T>, stuck: number): Promise<T> {
  let isOver = false;
  const over = () => void (isOver = true);
  work.then(over, over);
  while (!isOver && elapsedMs < ENDLESS_MS) {
    await new Promise((done) => setImmediate(done));
    if (hanging < stuck) continue;
    elapsedMs += STEP_MS;
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  if (!isOver) throw new Error('It hangs for ever');
  return work;
}

/** Turn after turn, as the workflow takes them. */
async function finished(testId: number, mail: Partial<MailTransport>, stuck: number) {
  const means = { mailTransport: { ...context.mailTransport, ...mail } };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  for (let looks = 0; elapsedMs < ENDLESS_MS; looks += 1) {
    const { isDone, waitMs } = await passing(turnOf(testId, looks, means), stuck);
    if (isDone) break;
    elapsedMs += waitMs;
  }
  vi.useRealTimers();
  const { messages } = await getPlacementTest(context, userId, testId);
  return messages.map(({ outcome, error_code: code, decided_at: at }) => ({
    found: code ?? outcome,
    afterMs: at === null ? Infinity : at.getTime() - startedAt,
  }));
}

describe('a placement test', { timeout: 180_000 }, () => {
  it('of thirty seeds that hang is decided within ten minutes', async () => {
    const id = await ordered(30);
    const decided = await finished(id, hangingSeeds(), AT_ONCE);
    expect(decided.map(({ found }) => found)).toEqual(Array(30).fill('HOST_UNREACHABLE'));
    expect(Math.max(...decided.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(PROMISED_MS);
    expect(elapsedMs).toBeLessThanOrEqual(PROMISED_MS);
  });

  it('whose mailbox hangs while it sends is decided within ten minutes', async () => {
    const id = await ordered(2);
    let sessions = 0;
    const openSubmission = async (): Promise<SubmissionSession> => {
      const { wait, close } = hang();
      sessions += 1;
      const send: SubmissionSession['send'] = async (_message, beforeText) => {
        await beforeText();
        return wait();
      };
      return { send, isUsable: () => true, close };
    };
    const openImap = async () => {
      const folders = async () => [{ path: 'INBOX', role: 'inbox' }];
      const looks = { folders, open: async () => undefined, search: async () => [] };
      return { ...looks, close: async () => undefined } as unknown as ImapSession;
    };
    const decided = await finished(id, { ...hangingSeeds(), openSubmission, openImap }, 1);
    expect(sessions).toBe(1);
    expect(decided.map(({ found }) => found)).toEqual(['DELIVERY_UNCERTAIN', 'MESSAGE_DEFERRED']);
    expect(elapsedMs).toBeLessThanOrEqual(PROMISED_MS);
  });

  it('waits in its last turn for another one only as long as there is time', async () => {
    const id = await ordered(1);
    const config = { ...context.config, PLACEMENT_LOOK_SECONDS: 3 };
    const seen = {
      ...hangingSeeds(),
      openImap: async () => ({ folders: async () => [], close: async () => undefined }) as never,
    };
    const means = { config, mailTransport: { ...context.mailTransport, ...seen } };
    expect(await turnOf(id, 0, means)).toMatchObject({ isDone: false });
    const { messages } = await getPlacementTest(context, userId, id);
    const name = `placement seed ${messages[0]!.seed_id}`;
    await sql`
      insert into leases (name, owner, expires_at)
      values (${name}, ${randomUUID()}, now() + interval '1 hour')`.execute(context.db);
    elapsedMs = PROMISED_MS;
    const begun = Date.now();
    expect(await turnOf(id, 1, means)).toMatchObject({ isDone: true });
    // Where it waits for another test at leisure, it waits for twenty seconds.
    expect(Date.now() - begun).toBeLessThan(15_000);
    const after = await getPlacementTest(context, userId, id);
    expect(after.messages).toMatchObject([{ error_code: 'SEED_BUSY' }]);
  });
});
