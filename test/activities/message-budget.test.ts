/** Rounds of one worker share the memory for messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMessageBudget, messageBytes } from '../../activities/campaigns/message-budget.ts';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { processTools, type SessionTools } from '../../activities/campaigns/tools.ts';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import type { Served } from '../../activities/shards/served.ts';
import { runShardSession } from '../../activities/shards/sessions.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { openShards } from '../support/campaigns/shard-world.ts';
import { silentAt } from '../support/tools/silence.ts';

/** Nearly as large as the API takes them. */
const BODY = 'x'.repeat(90_000);

const step = (bodyTemplate: string) => ({
  position: 0,
  delayDays: 0,
  subjectTemplate: 'Hello',
  bodyTemplate,
  variants: [],
});

describe('the bytes of a message', () => {
  it('are those of its largest text, with what is made of it', () => {
    const [small, large] = [step('a word'), step('ü'.repeat(100_000))];
    expect(messageBytes([small])).toBeLessThan(20_000);
    expect(messageBytes([{ ...small, variants: [large] }])).toBeGreaterThan(1_200_000);
    expect(messageBytes([small, large])).toBeGreaterThan(1_200_000);
  });
});

/** What comes last before a session hangs, with the domain of its campaign. */
const HANGS = [
  ['claims', 'claims.test', /insert into sends/],
  ['notes what was sent', 'notes.test', /end-leads/],
] as const;
const DOMAINS = ['one.test', 'two.test', ...HANGS.map(([, domain]) => domain)];

let world: SessionWorld;
beforeAll(async () => void (world = await startSessionWorld(DOMAINS)));
afterAll(() => world.close());

describe('rounds with large messages', () => {
  it('hold a few at once, each at least one, and send all of them', async () => {
    const { db, cipher } = world.tools();
    const userId = await addSender(db);
    const campaign = async (domain: string) => {
      const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 3, domain });
      const { campaignId } = await addCampaign(db, userId, { leads: 6, mailboxIds });
      await db
        .updateTable('campaign_steps')
        .set({ body_template: BODY })
        .where('campaign_id', '=', campaignId)
        .execute();
      return campaignId;
    };
    const campaigns = [await campaign('one.test'), await campaign('two.test')];
    const budget = createMessageBudget(3 * messageBytes([step(BODY)]));
    let most = 0;
    let made = 0;
    const { mailTransport } = world.tools();
    const tools = (): SessionTools =>
      world.tools({
        messageBudget: budget,
        mailTransport: {
          ...mailTransport,
          compose: (message) => {
            made += 1;
            most = Math.max(most, made - world.smtp.taken.length);
            return mailTransport.compose(message);
          },
        },
      });
    const rounds = campaigns.map((campaignId) => runSendingSession(tools(), campaignId));
    const results = await Promise.all(rounds);
    expect(results.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(world.smtp.taken).toHaveLength(12);
    expect(most).toBeLessThanOrEqual(3 + campaigns.length);
    expect(budget.usedBytes()).toBe(0);
  });
});

describe('a session that is left', () => {
  let served: Served | undefined;
  afterEach(() => served?.stop());

  it.each(HANGS)(
    'while it %s gives back its memory and closes its connections, once',
    async (_what, domain, only) => {
      const { db: all, cipher, mailTransport } = world.tools();
      const db = openDatabase(world.database.url, { poolSize: 10, statementTimeoutMs: 3_000 });
      const silence = silentAt(1, only);
      const opened: SubmissionSession[] = [];
      const shards = openShards(world, {
        db,
        mailTransport: {
          ...mailTransport,
          async openSubmission(access) {
            const session = await mailTransport.openSubmission(access);
            opened.push(session);
            return session;
          },
        },
      });
      const run: typeof runShardSession = (session) => {
        const { watch } = session;
        return runShardSession({ ...session, watch: { ...watch, db: silence.db(watch.db) } });
      };
      const userId = await addSender(all);
      const mailboxIds = await addMailboxes({ db: all, cipher }, userId, { count: 1, domain });
      const { campaignId } = await addCampaign(all, userId, { leads: 1, mailboxIds });
      await shards.handOver(campaignId, userId);
      served = serveShards(
        shards.context,
        createRunningJobs(shards.context, { hungMs: 2_500, run }),
      );
      try {
        await vi.waitFor(() => expect(silence.isReached()).toBe(true), 30_000);
        const { messageBudget } = processTools;
        const isGivenBack = () => {
          expect(messageBudget.usedBytes()).toBe(0);
          expect(opened.filter((one) => one.isUsable())).toEqual([]);
        };
        await vi.waitFor(
          async () => {
            const { status } = await all
              .selectFrom('campaigns')
              .select('status')
              .where('id', '=', campaignId)
              .executeTakeFirstOrThrow();
            expect(status).toBe('completed');
          },
          { timeout: 40_000, interval: 200 },
        );
        await vi.waitFor(isGivenBack, 20_000);
        // The one that was left comes to its end after all.
        silence.end();
        await sleep(1_000);
        isGivenBack();
      } finally {
        silence.end();
        await served.stop();
        await db.destroy();
      }
    },
    90_000,
  );
});
