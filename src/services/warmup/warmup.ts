/** Warm-up of mailboxes: its actions and its state. Spec: Warm-up; choice 28. */
import type { Transaction } from 'kysely';
import { settingsSignal } from '../../../workflows/contracts/warm-up-mailbox.ts';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import { wakeShardJobs } from '../../db/shards/shard-jobs.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { findWarmupView, listWarmupViews, type WarmupView } from '../../db/warmup/warmup-views.ts';
import {
  endWarmup,
  enrolWarmup,
  settingColumns,
  settingsOf,
  updateWarmup,
  type Warmup,
} from '../../db/warmup/warmups.ts';
import { invalid, notFound, OutreachError } from '../../domain/errors.ts';
import { warmUpMailboxFlow } from '../../domain/warmup/flows.ts';
import {
  DEFAULT_WARMUP,
  isChange,
  pausedReason,
  resumedState,
  type WarmupAction,
  type WarmupSettings,
  type WarmupStatus,
} from '../../domain/warmup/warmup.ts';
import { ACTOR } from '../accounts/actors.ts';
import { wakeCampaignsOf } from '../campaigns/campaign-wakes.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation' | 'clock'>;

interface Subject {
  userId: string;
  mailboxId: number;
}

export const listUserWarmups = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { status?: WarmupStatus | undefined; limit: number; offset: number },
) => listWarmupViews(context.db, userId, page);

/** Throws 404 MAILBOX_NOT_FOUND, for foreign ones too. */
export async function getUserWarmup(
  context: Pick<Context, 'db'>,
  { userId, mailboxId }: Subject,
): Promise<WarmupView> {
  const view = await findWarmupView(context.db, userId, mailboxId);
  if (!view) throw notFound('mailbox');
  return view;
}

/** The same state again is a no-op; 400 INVALID_STATE where the action is illegal. */
export async function actOnWarmup(
  context: Needs,
  subject: Subject,
  action: WarmupAction,
): Promise<WarmupView> {
  const started = await commitOnce(context.db, async (trx) => {
    const mailbox = await getUserWarmup({ db: trx }, subject);
    const row = await lockRow(trx, mailbox);
    if (!isChange(row.status, action)) return undefined;
    const begun = action === 'start' ? await start(context, trx, mailbox, row) : undefined;
    if (action !== 'start') await change(context, trx, row, action);
    const { status } = await lockRow(trx, mailbox);
    noteChange({ before: { status: row.status }, after: { status } });
    return begun;
  });
  if (started) await context.startOperation(started);
  // Its mailbox may send more cold mail from now on.
  if (action === 'resume' || action === 'stop') await wakeCampaignsOf(context, [subject.mailboxId]);
  return getUserWarmup(context, subject);
}

const lockRow = (trx: Transaction<Database>, { mailbox_id, user_id }: WarmupView) =>
  enrolWarmup(trx, { id: mailbox_id, userId: user_id }, DEFAULT_WARMUP);

/** A warm-up starts with its first day, also after it was stopped. */
async function start(
  context: Needs,
  trx: Transaction<Database>,
  mailbox: WarmupView,
  row: Warmup,
): Promise<Operation> {
  if (mailbox.mailbox_status !== 'active') {
    throw invalid('INVALID_STATE', 'The mailbox is not active yet');
  }
  const { mailbox_id: mailboxId, user_id: userId } = row;
  const run = row.run + 1;
  await updateWarmup(trx, mailboxId, {
    status: 'warming',
    status_reason: null,
    run,
    day: 0,
    day_started_at: null,
    day_volume: 0,
    cold_day: 0,
    paused_at: null,
    quarantined_at: null,
    started_at: context.clock.now(),
  });
  const input = { mailboxId, pace: paceOf(context) };
  return insertOperation(trx, warmUpMailboxFlow, input, {
    userId,
    run,
    summary: `Warm up mailbox ${mailboxId}`,
    requested: { actor: ACTOR.user(userId), reason: 'created' },
  });
}

/** The row changes and the workflow is signalled, or neither. */
async function change(
  context: Needs,
  trx: Transaction<Database>,
  row: Warmup,
  action: Exclude<WarmupAction, 'start'>,
): Promise<void> {
  const { mailbox_id: mailboxId } = row;
  if (action === 'stop') await endWarmup(trx, mailboxId, 'user');
  else if (action === 'pause') {
    const pausedAt = context.clock.now();
    const paused = { status: 'paused', status_reason: pausedReason(row) } as const;
    await updateWarmup(trx, mailboxId, { ...paused, paused_at: pausedAt });
  } else {
    const resumed = resumedState(row, context.config.WARMUP_DAYS);
    await updateWarmup(trx, mailboxId, { ...resumed, paused_at: null });
  }
  const operation = await findLatestOperation(trx, 'warmup', mailboxId);
  const request = action === 'stop' ? 'cancel' : action;
  if (operation) await tellJob(context, trx, operation, request);
}

/** In effect from the next day on. A mailbox without warm-up keeps them until it has one. */
export async function changeWarmupSettings(
  context: Needs,
  subject: Subject,
  wanted: { [K in keyof WarmupSettings]?: WarmupSettings[K] | undefined },
): Promise<WarmupView> {
  const operation = await commitOnce(context.db, async (trx) => {
    const mailbox = await getUserWarmup({ db: trx }, subject);
    const row = await lockRow(trx, mailbox);
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
    const settings: WarmupSettings = { ...settingsOf(row), ...Object.fromEntries(given) };
    if (settings.startVolume > settings.maxVolume) {
      throw invalid('VALIDATION_ERROR', 'startVolume must not be above maxVolume', [
        { field: 'startVolume', message: 'startVolume must not be above maxVolume' },
      ]);
    }
    await updateWarmup(trx, row.mailbox_id, settingColumns(settings));
    noteChange(difference(AUDITED_FIELDS.warmup, row, { ...row, ...settingColumns(settings) }));
    return findLatestOperation(trx, 'warmup', row.mailbox_id);
  });
  if (operation && operation.finished_at === null) await wake(context, operation);
  return getUserWarmup(context, subject);
}

/** Only a hint: a sleeping session reads the row when it wakes. */
async function wake({ db, clock, temporal }: Needs, operation: Operation): Promise<void> {
  const ids = [operation.resource_id];
  const woken = await wakeShardJobs(db, { type: 'warmup', ids, now: clock.now() });
  if (woken.size > 0) return;
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  await temporal
    .withDeadline(Date.now() + WAKE_DEADLINE_MS, () => handle.signal(settingsSignal))
    .catch(() => undefined);
}

const WAKE_DEADLINE_MS = 2_000;

export interface BulkResult {
  mailboxId: number;
  ok: boolean;
  status: WarmupStatus | null;
  error: { code: string; message: string } | null;
}

/** Each mailbox on its own, in the order given: a failing one does not stop the others. */
export async function actOnWarmups(
  context: Needs,
  userId: string,
  { mailboxIds, action }: { mailboxIds: readonly number[]; action: WarmupAction },
): Promise<BulkResult[]> {
  // What the first of them was, is not what all were.
  noteChange({ resourceId: null, before: null, after: { mailboxIds, action } });
  const results: BulkResult[] = [];
  for (const mailboxId of mailboxIds) {
    results.push(await actOnOne(context, { userId, mailboxId }, action));
  }
  return results;
}

async function actOnOne(
  context: Needs,
  subject: Subject,
  action: WarmupAction,
): Promise<BulkResult> {
  const { mailboxId } = subject;
  try {
    const { warmup } = await actOnWarmup(context, subject, action);
    return { mailboxId, ok: true, status: warmup?.status ?? 'inactive', error: null };
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
    const { code, message } = error;
    return { mailboxId, ok: false, status: null, error: { code, message } };
  }
}
