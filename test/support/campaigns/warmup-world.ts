/** Two tenants whose mailboxes are on hosts of the sandbox, and rounds of warm-up run by hand. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MockActivityEnvironment } from '@temporalio/testing';
import { warmupActivities } from '../../../activities/warmup/index.ts';
import type { Context } from '../../../src/context.ts';
import { passwordBinding } from '../../../src/db/mailboxes/mailboxes.ts';
import type { WarmupMessage } from '../../../src/db/warmup/warmup-messages.ts';
import { enrolWarmup, updateWarmup, type WarmupChange } from '../../../src/db/warmup/warmups.ts';
import type { SessionResult } from '../../../src/domain/operations/jobs.ts';
import { wakingHours } from '../../../src/domain/warmup/warmup-days.ts';
import { warmUpMailboxFlow } from '../../../src/domain/warmup/flows.ts';
import { DEFAULT_WARMUP, type WarmupSettings } from '../../../src/domain/warmup/warmup.ts';
import { activityEnvironment } from '../workflows/activity-environment.ts';
import { addOperation } from '../workflows/operations.ts';
import { addMailboxes, addSender } from './campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { installMailHost, PASSWORD, startMailWorld, type MailWorld } from '../mail/mail-world.ts';
import { createSandboxContext } from '../provisioning/provisioning-world.ts';
import type { TestSandbox } from '../vendors/sandbox.ts';

export interface WarmupTenant {
  userId: string;
  mailboxIds: number[];
  domain: string;
}

/** A round in progress. */
export interface RunningRound {
  environment: MockActivityEnvironment;
  /** Resolves also with the error that it threw. */
  ended: Promise<SessionResult | { error: unknown }>;
  /** Cancels it and waits. */
  stop(): Promise<void>;
}

export interface WarmupWorld {
  world: MailWorld;
  database: TestDatabase;
  context: Context;
  tenants: WarmupTenant[];
  /** Enrolled as by `start`: a row and its operation, whose id is answered. */
  enrol(
    mailboxId: number,
    change?: Partial<WarmupSettings>,
    row?: WarmupChange,
  ): Promise<{ mailboxId: number; operationId: number }>;
  run(round: { mailboxId: number; operationId: number }): RunningRound;
  messages(): Promise<WarmupMessage[]>;
  /** Polls until it is true. */
  until(condition: () => Promise<boolean>, timeoutMs?: number): Promise<void>;
  imap(mailboxId: number): ReturnType<Context['mailTransport']['openImap']>;
  /** Makes the next waking hours begin now. */
  wakeUp(): void;
  /** Deletes all messages and warm-ups. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function startWarmupWorld(
  environment: Record<string, string> = {},
): Promise<WarmupWorld> {
  const [database, world] = await Promise.all([createTestDatabase(), startMailWorld({ pace: 20 })]);
  const context = createSandboxContext(database, world.sandbox() as TestSandbox, '127.0.0.1:9', {
    environment: { SEND_MIN_GAP_SECONDS: '60', ...environment },
  });
  // The product uses only this clock: tests begin in the morning, whatever the real time.
  let aheadMs = 0;
  context.clock = { now: () => new Date(Date.now() + aheadMs) };
  const { db } = database;
  const tenants = await Promise.all(
    ['north.com', 'south.com'].map((domain) => addTenant(context, world, domain)),
  );
  const activities = warmupActivities(context);
  return {
    world,
    database,
    context,
    tenants,
    async enrol(mailboxId, change, row = {}) {
      return db.transaction().execute(async (trx) => {
        const { user_id: userId } = await trx
          .selectFrom('mailboxes')
          .select('user_id')
          .where('id', '=', mailboxId)
          .executeTakeFirstOrThrow();
        const settings = { ...DEFAULT_WARMUP, weekdaysOnly: false, ...change };
        await enrolWarmup(trx, { id: mailboxId, userId }, settings);
        await updateWarmup(trx, mailboxId, { status: 'warming', run: 1, ...row });
        const workflowId = `warmup/${mailboxId}/${randomUUID()}`;
        const given = { userId, workflowId, resourceId: mailboxId };
        const { id } = await addOperation(trx, warmUpMailboxFlow, given);
        return { mailboxId, operationId: id };
      });
    },
    run(round) {
      const activity = activityEnvironment();
      const ended = (
        activity.run(
          (input: typeof round) => activities.warmUpRound(input),
          round,
        ) as Promise<SessionResult>
      ).catch((error: unknown) => ({ error }));
      return {
        environment: activity,
        ended,
        async stop() {
          activity.cancel();
          await ended;
        },
      };
    },
    messages: () => db.selectFrom('warmup_letters').selectAll().orderBy('id').execute(),
    async until(condition, timeoutMs = 40_000) {
      const endsAt = Date.now() + timeoutMs;
      while (!(await condition())) {
        if (Date.now() > endsAt) throw new Error('it never came true');
        await sleep(25);
      }
    },
    async imap(mailboxId) {
      const { email, host } = await addressOf(database, mailboxId);
      return context.mailTransport.openImap({ host, email, password: PASSWORD });
    },
    wakeUp() {
      const calendar = {
        timezone: 'UTC',
        weekdaysOnly: false,
        daySeconds: context.config.DAY_SECONDS,
      };
      const today = wakingHours(calendar, context.clock.now());
      aheadMs += wakingHours(calendar, today.until).from.getTime() - context.clock.now().getTime();
    },
    async reset() {
      for (const table of ['warmup_letters', 'warmups'] as const)
        await db.deleteFrom(table).execute();
      await db.updateTable('mailboxes').set({ next_send_at: null }).execute();
    },
    async close() {
      await (context as Context & { close(): Promise<void> }).close();
      await world.close();
      await database.close();
    },
  };
}

async function addTenant(
  context: Context,
  world: MailWorld,
  domain: string,
): Promise<WarmupTenant> {
  await installMailHost(world, domain, ['m1', 'm2']);
  const userId = await addSender(context.db);
  const mailboxIds = await addMailboxes(context, userId, { count: 2, domain });
  for (const id of mailboxIds) {
    const password = context.cipher.seal(PASSWORD, passwordBinding(id));
    await context.db.updateTable('mailboxes').set({ password }).where('id', '=', id).execute();
  }
  return { userId, mailboxIds, domain };
}

async function addressOf({ db }: TestDatabase, mailboxId: number) {
  const { email } = await db
    .selectFrom('mailboxes')
    .select('email')
    .where('id', '=', mailboxId)
    .executeTakeFirstOrThrow();
  return { email, host: `mail.${email.slice(email.indexOf('@') + 1)}` };
}
