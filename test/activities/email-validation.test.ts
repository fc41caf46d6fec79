/** Batches of a validation job on Postgres and the lab: exact counts, whatever is repeated. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  emailValidationActivities,
  type EmailBatchInput,
  type EmailBatchResult,
} from '../../activities/email-validation/email-validation.ts';
import {
  endJob,
  findUserJob,
  insertBulkJob,
} from '../../src/db/email-validation/email-validation-jobs.ts';
import {
  listItems,
  nextItems,
  storeResults,
} from '../../src/db/email-validation/email-validation-items.ts';
import { wakeValidations } from '../../src/services/email-validation/wake-validations.ts';
import { readEmailAddress } from '../../src/domain/email-validation/email-address.ts';
import type { EmailCheck, EmailChecker } from '../../src/domain/email-validation/email-check.ts';
import { checkOf, unknownFacts } from '../../src/domain/email-validation/email-verdict.ts';
import { BATCH_SIZE } from '../../src/domain/email-validation/email-validation.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { runValidation, sandboxChecker } from '../support/mail/email-world.ts';
import { HONEST } from '../support/mail/mx-lab.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

const userId = 'user-1';
let database: TestDatabase;
let sandbox: TestSandbox;

beforeAll(async () => {
  [sandbox, database] = await Promise.all([startTestSandbox({ pace: 4 }), createTestDatabase()]);
  const user = { user_id: userId, email: 'user@example.test' };
  await database.db.insertInto('users').values(user).execute();
});
beforeEach(() => database.db.deleteFrom('email_checks').execute());
afterAll(async () => {
  await Promise.all([database?.close(), sandbox?.remove()]);
});

const insert = (emails: readonly string[]): Promise<number> =>
  database.db.transaction().execute(async (trx) => {
    const given = emails.map((email) => ({ email, key: email }));
    return (await insertBulkJob(trx, { userId, leadListId: null, emails: given })).id;
  });

const jobOf = async (id: number) => (await findUserJob(database.db, userId, id))!;
const countsOf = async (id: number) => {
  const { valid, risky, invalid, unknown } = await jobOf(id);
  return { valid, risky, invalid, unknown };
};
const statusesOf = async (id: number) => {
  const rows = await listItems(database.db, id, { limit: 5_000, offset: 0 });
  return rows.map(({ status }) => status);
};

/** The counts of a job are those of its items, at every moment. */
async function expectExact(id: number): Promise<void> {
  const counted = { valid: 0, risky: 0, invalid: 0, unknown: 0 };
  for (const status of await statusesOf(id)) if (status !== null) counted[status] += 1;
  expect(await countsOf(id)).toEqual(counted);
}

/** One run of the activity. */
function runBatch(
  emailChecker: EmailChecker,
  input: EmailBatchInput,
  environment = activityEnvironment(),
  later = { ms: 0 },
): Promise<EmailBatchResult> {
  const activities = emailValidationActivities({
    db: database.db,
    emailChecker,
    clock: { now: () => new Date(Date.now() + later.ms) },
    temporal: {} as never,
  });
  const work = () => activities.checkEmailBatch(input);
  return environment.run(work) as Promise<EmailBatchResult>;
}

/** Runs a job to its end; the minutes of each wait that is longer than ten seconds. */
async function minutesWaited(emailChecker: EmailChecker, jobId: number): Promise<number[]> {
  const waits: number[] = [];
  const later = { ms: 0 };
  for (;;) {
    const page = await runBatch(emailChecker, { jobId, retryPace: 1 }, undefined, later);
    if (page.isDone) return waits;
    later.ms += page.waitMs;
    if (page.waitMs > 10_000) waits.push(Math.round(page.waitMs / 60_000));
  }
}
const probe = () => sandboxChecker(database, sandbox, ['smtp_probe']);

describe('checkEmailBatch', () => {
  it('takes the next 500, and says how far the job is', async () => {
    const emails = Array.from({ length: BATCH_SIZE + 20 }, (_, n) => `u${n}@no-mx.mxlab.test`);
    const id = await insert(emails);
    const emailChecker = probe();
    const run = () => runBatch(emailChecker, { jobId: id, retryPace: 1 });
    const progress = `${BATCH_SIZE} of ${emails.length} addresses`;
    const more = { state: 'active', isDone: false, waitMs: 0 };
    expect(await run()).toEqual({ ...more, progress });
    await expectExact(id);
    expect(await run()).toMatchObject({ isDone: false, progress: '520 of 520 addresses' });
    expect(await run()).toMatchObject({ state: 'active', isDone: true });
    expect(await countsOf(id)).toMatchObject({ invalid: emails.length });
  });

  it('tries greylisted addresses again when their time has come, and corrects the counts', async () => {
    const id = await insert(['user-1', 'gone-1'].map((local) => `${local}@greylist-7.mxlab.test`));
    const emailChecker = probe();
    const input = { jobId: id, retryPace: 0.1 };
    await runBatch(emailChecker, input);
    expect(await countsOf(id)).toEqual({ valid: 0, risky: 0, invalid: 0, unknown: 2 });
    const { waitMs, ...waiting } = await runBatch(emailChecker, input);
    expect(waiting).toMatchObject({ isDone: false, state: 'active' });
    expect(waitMs).toBeGreaterThan(3_000);
    expect(waitMs).toBeLessThanOrEqual(30_000);
    await sql`update email_validation_items set again_at = now() + interval '1 second'
      where job_id = ${id}`.execute(database.db);
    await runValidation({ db: database.db, emailChecker }, id, { retryPace: 0.003 });
    expect(await countsOf(id)).toEqual({ valid: 1, risky: 0, invalid: 1, unknown: 0 });
    expect((await jobOf(id)).status).toBe('completed');
  });

  it('gives up an address that stays greylisted after two more tries', async () => {
    const id = await insert(['user@failing.mxlab.test']);
    const emailChecker = probe();
    const batches = await runValidation({ db: database.db, emailChecker }, id);
    expect(batches).toBeLessThan(10);
    const rows = await listItems(database.db, id, { limit: 1, offset: 0 });
    expect(rows[0]).toMatchObject({ status: 'unknown', reason: 'temporary_failure', tries: 3 });
    expect(rows[0]!.again_at).toBeNull();
  });

  it('killed in the middle keeps what was stored; the repeat asks only about the rest', async () => {
    const emails = Array.from({ length: 200 }, (_, n) => `user${n}@pipelining-7.mxlab.test`);
    const id = await insert(emails);
    let asked = 0;
    const dying: EmailChecker = {
      async check(given, options) {
        const real = await probe().check(given);
        for (const [email, check] of real) {
          asked += 1;
          if (asked > 120) throw new Error('killed');
          await options?.onResult?.(email, check);
        }
        return real;
      },
    };
    const input = { jobId: id, retryPace: 1 };
    const first = runBatch(dying, input);
    await expect(first).rejects.toThrow('killed');
    await expectExact(id);
    const { valid } = await countsOf(id);
    expect(valid).toBeGreaterThanOrEqual(100);
    const seen: string[] = [];
    const watching: EmailChecker = {
      check: (given, options) => {
        seen.push(...given);
        return probe().check(given, options);
      },
    };
    await runBatch(watching, input);
    expect(seen).toHaveLength(200 - valid);
    expect(await countsOf(id)).toMatchObject({ valid: 200 });
  });

  it('adds nothing once a cancel took effect, and stops asking', async () => {
    const emails = Array.from({ length: 120 }, (_, n) => `user${n}@plain-8.mxlab.test`);
    const id = await insert(emails);
    let told = 0;
    const cancelling: EmailChecker = {
      check: (given, options) =>
        probe().check(given, {
          ...options,
          async onResult(email, check) {
            told += 1;
            if (told === 60) {
              await database.db
                .transaction()
                .execute((trx) => endJob(trx, id, { status: 'cancelled' }));
            }
            await options?.onResult?.(email, check);
          },
        }),
    };
    const page = await runBatch(cancelling, { jobId: id, retryPace: 1 });
    expect(page).toMatchObject({ state: 'over', isDone: false });
    await expectExact(id);
    expect((await countsOf(id)).valid).toBeLessThan(60);
    expect((await jobOf(id)).status).toBe('cancelled');
  });

  it('stops promptly when the activity is cancelled, and keeps what it has', async () => {
    const id = await insert(['user1@pipelining-9.mxlab.test', 'user1@stuck.mxlab.test']);
    const environment = activityEnvironment();
    const patient = sandboxChecker(database, sandbox, ['smtp_probe'], { timeoutMs: 30_000 });
    let cancelledMs = 0;
    const half: EmailChecker = {
      check: (given, options) =>
        patient.check(given, {
          ...options,
          async onResult(email, check) {
            await options?.onResult?.(email, check);
            cancelledMs = Date.now();
            environment.cancel();
          },
        }),
    };
    const running = runBatch(half, { jobId: id, retryPace: 1 }, environment);
    await expect(running).rejects.toThrow(/cancel/i);
    expect(Date.now() - cancelledMs).toBeLessThan(20_000);
    expect(await countsOf(id)).toMatchObject({ valid: 1, unknown: 0 });
  });

  it('two attempts at once (a worker that was thought dead) leave exact counts', async () => {
    const emails = HONEST.flatMap((server) =>
      [1, 2, 3].flatMap((n) => [`user${n}@${server}.mxlab.test`, `gone${n}@${server}.mxlab.test`]),
    );
    const id = await insert(emails);
    const input = { jobId: id, retryPace: 1 };
    const run = () => runBatch(probe(), input);
    await Promise.all([run(), run()]);
    await expectExact(id);
    const half = emails.length / 2;
    expect(await countsOf(id)).toEqual({ valid: half, risky: 0, invalid: half, unknown: 0 });
  });
});

/** Answers each address as `reasonOf` says: a reason of no verdict, or `mailbox_exists`. */
function checkerOf(
  reasonOf: (email: string, asked: number) => string,
  now = () => new Date(),
): EmailChecker & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async check(emails, options) {
      const results = new Map<string, EmailCheck>();
      for (const email of emails) {
        asked.push(email);
        const reason = reasonOf(email, asked.filter((one) => one === email).length);
        const facts =
          reason === 'mailbox_exists'
            ? { ...unknownFacts(reason), status: 'valid' as const }
            : unknownFacts(reason);
        const lists = { isDisposable: () => false, isFree: () => false };
        const check = checkOf(readEmailAddress(email)!, facts, lists, now().toISOString());
        results.set(email, check);
        await options?.onResult?.(email, check);
      }
      return results;
    },
  };
}

/** Answers so many addresses of a page in one batch, and is left alone for a while as soon as it is sent more. */
function blockedAfter(
  { answers, blockedMs }: { answers: number; blockedMs: number },
  now: () => number,
): EmailChecker {
  let untilMs = 0;
  return {
    async check(emails, options) {
      const isBlocked = now() < untilMs;
      if (!isBlocked && emails.length > answers) untilMs = now() + blockedMs;
      const answered = new Set(isBlocked ? [] : emails.slice(0, answers));
      return checkerOf(
        (email) => (answered.has(email) ? 'mailbox_exists' : 'verifier_unavailable'),
        () => new Date(now()),
      ).check(emails, options);
    },
  };
}

describe('a verifier that cannot be asked', () => {
  it.each([
    ['verifier_unavailable', 60_000],
    ['verifier_out_of_credits', 600_000],
    ['port_25_closed', 600_000],
  ])('%s: the job waits, and asks again', async (reason, firstWaitMs) => {
    const id = await insert(['ann@acme.test', 'bob@acme.test']);
    const emailChecker = checkerOf((_, asked) => (asked > 2 ? 'mailbox_exists' : reason));
    const page = await runBatch(emailChecker, { jobId: id, retryPace: 1 });
    // Also while there are addresses that nobody has asked about: they would get the same answer.
    expect(page).toMatchObject({ isDone: false, waitMs: firstWaitMs });
    await database.db
      .updateTable('email_validation_items')
      .set({ again_at: new Date() })
      .where('job_id', '=', id)
      .execute();
    await runValidation({ db: database.db, emailChecker }, id);
    expect(await countsOf(id)).toEqual({ valid: 2, risky: 0, invalid: 0, unknown: 0 });
  });

  it('is named by the job that waits, since when and until when, and by nobody once it answers', async () => {
    const id = await insert(['ann@acme.test', 'bob@acme.test']);
    let hasCredits = false;
    const emailChecker = checkerOf(() =>
      hasCredits ? 'mailbox_exists' : 'verifier_out_of_credits',
    );
    const later = { ms: 0 };
    const run = () => runBatch(emailChecker, { jobId: id, retryPace: 1 }, undefined, later);
    const waitOf = async () => {
      const {
        waiting_reason: reason,
        waiting_since: since,
        waiting_until: until,
      } = await jobOf(id);
      return { reason, since, until };
    };
    expect(await waitOf()).toEqual({ reason: null, since: null, until: null });
    const words = /^2 of 2 addresses; no verifier has credits, asked again at \d{4}-.+Z$/;
    expect((await run()).progress).toMatch(words);
    const first = await waitOf();
    expect(first).toMatchObject({ reason: 'verifier_out_of_credits' });
    // Also the page that finds nothing due says so.
    expect((await run()).progress).toMatch(words);
    later.ms = 11 * 60_000;
    expect((await run()).progress).toMatch(words);
    const second = await waitOf();
    expect(second.since).toEqual(first.since);
    expect(second.until!.getTime()).toBeGreaterThan(first.until!.getTime());
    hasCredits = true;
    later.ms = 40 * 60_000;
    expect((await run()).progress).toBe('2 of 2 addresses');
    expect(await waitOf()).toEqual({ reason: null, since: null, until: null });
  });

  it('is asked again at once by a job that an operator has woken', async () => {
    const [id, other] = [await insert(['ann@acme.test']), await insert(['eve@acme.test'])];
    const since: (Date | undefined)[] = [];
    const reasons: Record<string, string> = {
      'ann@acme.test': 'verifier_out_of_credits',
      'eve@acme.test': 'port_25_closed',
    };
    const checker = checkerOf((email, asked) => (asked > 1 ? 'mailbox_exists' : reasons[email]!));
    const emailChecker: EmailChecker = {
      check: (emails, options) => {
        since.push(options?.restsFrom);
        return checker.check(emails, options);
      },
    };
    for (const jobId of [id, other]) await runBatch(emailChecker, { jobId, retryPace: 1 });
    const now = new Date();
    const wake = () =>
      wakeValidations({ db: database.db, temporal: {} as never, clock: { now: () => now } }, [
        'verifier_out_of_credits',
      ]);
    expect(await wake()).toEqual([id]);
    // A repeat finds it awake.
    expect(await wake()).toEqual([]);
    expect(await runBatch(emailChecker, { jobId: id, retryPace: 1 })).toMatchObject({ waitMs: 0 });
    expect(since).toEqual([undefined, undefined, now]);
    expect(await countsOf(id)).toMatchObject({ valid: 1 });
    const waiting = await runBatch(emailChecker, { jobId: other, retryPace: 1 });
    expect(waiting.waitMs).toBeGreaterThan(500_000);
  });

  it('is asked again at once where an operator wakes the job while a page of it is under way', async () => {
    const id = await insert(['ann@acme.test', 'bob@acme.test']);
    const later = { ms: 0 };
    const run = (emailChecker: EmailChecker) =>
      runBatch(emailChecker, { jobId: id, retryPace: 1 }, undefined, later);
    const refusing = checkerOf(() => 'verifier_out_of_credits');
    expect(await run(refusing)).toMatchObject({ waitMs: 600_000 });
    later.ms = 11 * 60_000;
    const woken: EmailChecker = {
      async check(emails, options) {
        const clock = { now: () => new Date(Date.now() + later.ms) };
        const needs = { db: database.db, temporal: {} as never, clock };
        expect(await wakeValidations(needs, ['verifier_out_of_credits'])).toEqual([id]);
        return refusing.check(emails, options);
      },
    };
    expect(await run(woken)).toMatchObject({ isDone: false, waitMs: 0 });
    const asked = checkerOf(() => 'mailbox_exists');
    await run(asked);
    expect(asked.asked).toHaveLength(2);
    expect(await countsOf(id)).toMatchObject({ valid: 2 });
  });

  it('is asked again at once where the worker ends a page during which an operator woke the job', async () => {
    const id = await insert(['ann@acme.test', 'bob@acme.test']);
    const later = { ms: 0 };
    const run = (emailChecker: EmailChecker, environment = activityEnvironment()) =>
      runBatch(emailChecker, { jobId: id, retryPace: 1 }, environment, later);
    const refusing = checkerOf(() => 'verifier_out_of_credits');
    expect(await run(refusing)).toMatchObject({ waitMs: 600_000 });
    later.ms = 11 * 60_000;
    const environment = activityEnvironment();
    const stopped: EmailChecker = {
      async check(emails, options) {
        const clock = { now: () => new Date(Date.now() + later.ms) };
        const needs = { db: database.db, temporal: {} as never, clock };
        expect(await wakeValidations(needs, ['verifier_out_of_credits'])).toEqual([id]);
        const checks = await refusing.check(emails, options);
        environment.cancel();
        options!.signal!.throwIfAborted();
        return checks;
      },
    };
    await expect(run(stopped, environment)).rejects.toThrow(/cancel/i);
    const asked = checkerOf(() => 'mailbox_exists');
    await run(asked);
    expect(asked.asked).toHaveLength(2);
    expect(await countsOf(id)).toMatchObject({ valid: 2 });
  });

  it('is given up after some hours: the job ends with what is known', async () => {
    const id = await insert(['ann@acme.test']);
    const emailChecker = checkerOf(() => 'verifier_unavailable');
    await runValidation({ db: database.db, emailChecker }, id);
    expect(emailChecker.asked).toHaveLength(5);
    expect(await countsOf(id)).toMatchObject({ unknown: 1 });
  });

  it('is waited for by all pages of a job together', async () => {
    const id = await insert(Array.from({ length: 4 * BATCH_SIZE }, (_, n) => `u${n}@acme.test`));
    const emailChecker = checkerOf(() => 'verifier_unavailable');
    expect(await minutesWaited(emailChecker, id)).toEqual([1, 5, 20, 60]);
    expect(emailChecker.asked).toHaveLength(4 * BATCH_SIZE + 4 * BATCH_SIZE);
    expect(await countsOf(id)).toMatchObject({ unknown: 4 * BATCH_SIZE });
    await expectExact(id);
  });

  it('that is back is asked about all that has waited', async () => {
    const id = await insert(Array.from({ length: 3 * BATCH_SIZE }, (_, n) => `u${n}@acme.test`));
    let isDown = true;
    const emailChecker = checkerOf(() => (isDown ? 'verifier_unavailable' : 'mailbox_exists'));
    const run = (ms: number) =>
      runBatch(emailChecker, { jobId: id, retryPace: 1 }, undefined, { ms });
    expect(await run(0)).toMatchObject({ waitMs: 60_000 });
    const { items, againAt } = await nextItems(database.db, id, { limit: 1, now: new Date() });
    expect(items).toEqual([]);
    expect(againAt!.getTime()).toBeGreaterThan(Date.now() + 50_000);
    isDown = false;
    for (let page = 1; page <= 3; page += 1) expect(await run(65_000)).toMatchObject({ waitMs: 0 });
    expect(await countsOf(id)).toMatchObject({ valid: 3 * BATCH_SIZE });
    expect(await run(65_000)).toMatchObject({ isDone: true });
  });

  it('that answers a part of each page, and is blocked for a while after it, loses no verdict', async () => {
    const count = 4 * BATCH_SIZE;
    const id = await insert(Array.from({ length: count }, (_, n) => `u${n}@acme.test`));
    const offsets = { ms: 0 };
    const now = () => Date.now() + offsets.ms;
    const emailChecker = blockedAfter({ answers: 200, blockedMs: 10 * 60_000 }, now);
    for (let pages = 1; ; pages += 1) {
      const page = await runBatch(emailChecker, { jobId: id, retryPace: 1 }, undefined, offsets);
      if (page.isDone) break;
      expect(pages).toBeLessThan(100);
      offsets.ms += page.waitMs;
    }
    expect(await countsOf(id)).toMatchObject({ valid: count, unknown: 0 });
    await expectExact(id);
  });

  it('is waited for no longer where only our own checks have answered', async () => {
    const id = await insert(Array.from({ length: 2 * BATCH_SIZE }, (_, n) => `u${n}@acme.test`));
    const emailChecker = checkerOf((email) =>
      email.startsWith('u9') ? 'no_mx' : 'verifier_unavailable',
    );
    expect(await minutesWaited(emailChecker, id)).toEqual([1, 5, 20, 60]);
  });

  it('costs a greylisted address none of its tries', async () => {
    const id = await insert(['ann@acme.test']);
    const reasons = ['greylisted', 'verifier_unavailable', 'greylisted', 'mailbox_exists'];
    const emailChecker = checkerOf((_, asked) => reasons[asked - 1]!);
    await runValidation({ db: database.db, emailChecker }, id);
    expect(await countsOf(id)).toMatchObject({ valid: 1 });
  });

  it('lets the job go on where most addresses get an answer', async () => {
    const id = await insert(['ann@acme.test', 'bob@acme.test', 'eve@acme.test']);
    const emailChecker = checkerOf((email) =>
      email.startsWith('eve') ? 'verifier_unavailable' : 'mailbox_exists',
    );
    expect(await runBatch(emailChecker, { jobId: id, retryPace: 1 })).toMatchObject({ waitMs: 0 });
  });

  it.each(['dns_failure', 'timed_out'])('%s is asked about again', async (reason) => {
    const id = await insert(['ann@acme.test']);
    const emailChecker = checkerOf((_, asked) => (asked > 1 ? 'mailbox_exists' : reason));
    await runValidation({ db: database.db, emailChecker }, id);
    expect(await countsOf(id)).toMatchObject({ valid: 1 });
  });

  it.each(['verifier_unavailable', 'dns_failure', 'not_verified', 'timed_out'])(
    '%s takes no verdict from a lead, and is told of one that has none',
    async (reason) => {
      const leads = await database.db
        .insertInto('leads')
        .values(
          ['known', 'new'].map((name) => ({
            user_id: userId,
            first_name: name,
            last_name: reason,
            name_key: `${name} ${reason}`,
            email: `${name}@${reason}.test`,
            email_key: `${name}@${reason.replaceAll('_', '-')}.test`,
            ...(name === 'known' && {
              validation_score: 95,
              validation_status: 'valid' as const,
              validation_reason: 'mailbox_exists',
              email_valid: true,
              validated_at: new Date('2026-01-02T03:04:05Z'),
            }),
          })),
        )
        .returning('id')
        .execute();
      const id = await insert(leads.map((_, at) => `${at}@x.test`));
      const { items } = await nextItems(database.db, id, { limit: 2, now: new Date() });
      for (const [at, item] of items.entries()) {
        const key = `${['known', 'new'][at]}@${reason.replaceAll('_', '-')}.test`;
        await database.db
          .updateTable('email_validation_items')
          .set({ lead_id: leads[at]!.id, email: key, email_key: key })
          .where('id', '=', item.id)
          .execute();
      }
      await runBatch(
        checkerOf(() => reason),
        { jobId: id, retryPace: 1 },
      );
      const after = await database.db
        .selectFrom('leads')
        .select(['validation_score', 'validation_reason', 'email_valid'])
        .where(
          'id',
          'in',
          leads.map((one) => one.id),
        )
        .orderBy('id')
        .execute();
      expect(after).toEqual([
        { validation_score: 95, validation_reason: 'mailbox_exists', email_valid: true },
        { validation_score: 40, validation_reason: reason, email_valid: false },
      ]);
    },
  );
});

describe('storeResults', () => {
  it('passes over an address that was erased meanwhile', async () => {
    const id = await insert(['ann@acme.test']);
    const { items } = await nextItems(database.db, id, { limit: 1, now: new Date() });
    const { id: itemId, email } = items[0]!;
    await database.db
      .updateTable('email_validation_items')
      .set({ email: '(erased)', email_key: null })
      .where('id', '=', itemId)
      .execute();
    const check = (await probe().check(['ann@null-mx.mxlab.test'])).values().next().value!;
    await database.db
      .transaction()
      .execute((trx) => storeResults(trx, id, [{ id: itemId, email, check, againAt: null }]));
    await expectExact(id);
    expect(await statusesOf(id)).toEqual([null]);
  });
});
