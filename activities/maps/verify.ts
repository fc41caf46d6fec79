/** Verifies addresses found on websites after the visits, so that slow mail exchangers cost no visit. */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { keepChecks, listUnverifiedItems, type ItemEmails } from '../../src/db/maps/maps-checks.ts';
import { lockMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import type { EmailCheck } from '../../src/domain/email-validation/email-check.ts';
import { isAnsweredSince, isUnasked } from '../../src/domain/email-validation/email-validation.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { ContactCheck } from '../../src/domain/maps/maps.ts';
import { PATIENT_ATTEMPTS } from './providers.ts';

type Needs = Pick<Context, 'db' | 'emailChecker'>;

export interface VerifyBounds {
  signal: AbortSignal;
  /** No batch is begun after this time. */
  beginForMs: number;
  /** What one batch has not answered after this time counts as unknown. */
  batchMs: number;
}

/** Places per request. */
const BATCH_ITEMS = 100;

/**
 * Verifies the next addresses of a run that was created with `verifyEmails`; true when none is left.
 * Each address gets a verdict, if only `unknown`, so the loop ends.
 */
export async function verifyItems(
  context: Needs,
  run: MapsRun,
  { signal, beginForMs, batchMs }: VerifyBounds,
): Promise<boolean> {
  if (!run.verify_emails) return true;
  const until = Date.now() + beginForMs;
  let after = 0;
  while (Date.now() < until) {
    const items = await listUnverifiedItems(context.db, run.id, { after, limit: BATCH_ITEMS });
    if (items.length === 0) return true;
    after = items.at(-1)!.itemId;
    const emails = [...new Set(items.flatMap((item) => item.emails))];
    const checks = await checkWithin(context, emails, { signal, limitMs: batchMs });
    const isKept = await context.db.transaction().execute(async (trx) => {
      const { status, operation_id } = await lockMapsRun(trx, run.id);
      if (status !== 'enriching' || operation_id !== run.operation_id) return false;
      await keepChecks(
        trx,
        items.map((item) => checksOf(item, checks)),
      );
      return true;
    });
    if (!isKept) return false;
  }
  return false;
}

/** Returns what is known after `limitMs` at the latest. Throws when `signal` aborts. */
async function checkWithin(
  { emailChecker }: Needs,
  emails: readonly string[],
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<Map<string, EmailCheck>> {
  const known = new Map<string, EmailCheck>();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await emailChecker.check(emails, {
      signal: AbortSignal.any([signal, limit.signal]),
      onResult: (email, check) => void known.set(email, check),
    });
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return known;
  } finally {
    clearTimeout(timer);
  }
}

const checksOf = ({ itemId, emails }: ItemEmails, checks: ReadonlyMap<string, EmailCheck>) => ({
  itemId,
  checks: Object.fromEntries(
    emails.map((email) => {
      const check = checks.get(email);
      return [email, check ? keptCheck(check) : notInTime()];
    }),
  ),
});

/** Choice 29: an address without an answer is `unknown`; an import asks again. */
const notInTime = (): ContactCheck => ({
  status: 'unknown',
  score: 40,
  reason: 'timeout',
  checkedAt: new Date().toISOString(),
});

export const keptCheck = ({ status, score, reason, checkedAt }: EmailCheck): ContactCheck => ({
  status,
  score,
  reason,
  checkedAt,
});

/** So many addresses of a batch may stay without an answer in the end, as a share of all that it could import. */
const FEW_UNASKED = 0.1;
/** The same as a number, where a verifier has answered others of the batch, be it before. */
const FEW_AMONG_ANSWERED = 10;
/** So often a batch is tried of which nobody was answered in time: the mail servers of all of them may be slow. */
const SILENT_ATTEMPTS = 5;

export const isSettled = (check: Pick<ContactCheck, 'status'> | undefined): boolean =>
  check !== undefined && check.status !== 'unknown' && check.status !== 'pending';

/** Nobody could be asked, or who was asked has not answered in time. */
export const isUnanswered = (check: Pick<ContactCheck, 'reason'>): boolean =>
  isUnasked(check) || check.reason === 'timed_out';

/**
 * An import goes on behind places that it has skipped, so none may be skipped because no verifier could be asked:
 * the page is tried again, and an import that fails goes on here when it is repeated. Some addresses that a verifier
 * never answers for must not keep it here for ever. `checks`: all that the batch could import; `since`: when the
 * import began, because only what it was told itself shows that the verifier answers.
 */
export function assertAsked(checks: readonly ContactCheck[], since: Date): void {
  const { attempt } = ActivityContext.current().info;
  const unasked = checks.filter(isUnasked);
  const settled = checks.filter(isSettled);
  const isAnswered = settled.some((check) => isAnsweredSince(check));
  const few = Math.max(checks.length * FEW_UNASKED, isAnswered ? FEW_AMONG_ANSWERED : 0);
  const isOver = unasked.length <= few && attempt >= PATIENT_ATTEMPTS;
  if (unasked[0] && !isOver) throw unverified(unasked[0].reason);
  const isTold = settled.some((check) => isAnsweredSince(check, since));
  const isSilent = !isTold && checks.some(isUnanswered);
  if (isSilent && attempt < SILENT_ATTEMPTS) throw unverified('timed_out');
}

const unverified = (reason: string): ProviderError =>
  new ProviderError('unavailable', `Addresses could not be verified: ${reason}`, {
    provider: 'email_verifier',
    operatorHint: 'Run `outreach doctor`: it says which verifier refuses, and why.',
  });
