/** Warm-ups: rows, states and how their workflow uses them. Choice 28. */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import type { JobState } from '../../domain/operations/jobs.ts';
import {
  pausedReason,
  resumedState,
  warmupJobState,
  type WarmupReason,
  type WarmupSettings,
} from '../../domain/warmup/warmup.ts';
import { cancelPlannedMessages } from './warmup-messages.ts';
import { sealedLoginOf, type SealedLogin } from '../mailboxes/mailbox-access.ts';
import type { JobRows } from '../job-rows.ts';
import { findLatestOperation } from '../operations/operations.ts';
import type { Database } from '../tables.ts';
import type { WarmupsTable } from './warmup-tables.ts';

export type Warmup = Selectable<WarmupsTable>;

/** The row, locked until the transaction ends; undefined for a mailbox that was never enrolled. */
export const lockWarmup = (
  trx: Transaction<Database>,
  mailboxId: number,
): Promise<Warmup | undefined> =>
  trx
    .selectFrom('warmups')
    .selectAll()
    .where('mailbox_id', '=', mailboxId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Inserts a missing row, inactive, and locks it. */
export async function enrolWarmup(
  trx: Transaction<Database>,
  mailbox: { id: number; userId: string },
  settings: WarmupSettings,
): Promise<Warmup> {
  await trx
    .insertInto('warmups')
    .values({ mailbox_id: mailbox.id, user_id: mailbox.userId, ...settingColumns(settings) })
    .onConflict((conflict) => conflict.column('mailbox_id').doNothing())
    .execute();
  return (await lockWarmup(trx, mailbox.id))!;
}

export type WarmupChange = Omit<Updateable<WarmupsTable>, 'mailbox_id' | 'user_id' | 'updated_at'>;

export async function updateWarmup(
  trx: Transaction<Database>,
  mailboxId: number,
  change: WarmupChange,
): Promise<void> {
  await trx
    .updateTable('warmups')
    .set({ ...change, updated_at: new Date() })
    .where('mailbox_id', '=', mailboxId)
    .execute();
}

export const settingColumns = (settings: WarmupSettings) => ({
  start_volume: settings.startVolume,
  daily_increase: settings.dailyIncrease,
  max_volume: settings.maxVolume,
  reply_rate: settings.replyRate,
  weekdays_only: settings.weekdaysOnly,
});

export const settingsOf = (row: Warmup): WarmupSettings => ({
  startVolume: row.start_volume,
  dailyIncrease: row.daily_increase,
  maxVolume: row.max_volume,
  replyRate: row.reply_rate,
  weekdaysOnly: row.weekdays_only,
});

/** Ends a warm-up: its planned messages are cancelled. */
export async function endWarmup(
  trx: Transaction<Database>,
  mailboxId: number,
  reason: WarmupReason | null,
): Promise<void> {
  await updateWarmup(trx, mailboxId, {
    status: 'inactive',
    status_reason: reason,
    paused_at: null,
    quarantined_at: null,
  });
  await cancelPlannedMessages(trx, mailboxId);
}

export const warmupRows: JobRows = {
  lockState,
  async apply(trx, mailboxId, request, operationId) {
    if ((await lockState(trx, mailboxId, operationId)) === 'over') return;
    const row = (await lockWarmup(trx, mailboxId))!;
    const { status } = row;
    if (request === 'cancel') await endWarmup(trx, mailboxId, 'user');
    else if (request === 'pause' && status !== 'paused') {
      const paused = { status: 'paused', status_reason: pausedReason(row) } as const;
      await updateWarmup(trx, mailboxId, { ...paused, paused_at: new Date() });
    } else if (request === 'resume' && status === 'paused') {
      // The next health check decides whether it is warming, active or throttled.
      const resumed = resumedState(row, Infinity);
      await updateWarmup(trx, mailboxId, { ...resumed, paused_at: null });
    }
  },
  async settle(trx, mailboxId, { outcome, operationId, error }) {
    if ((await lockState(trx, mailboxId, operationId)) === 'over') return;
    const isFailure = outcome === 'failed' && error?.code !== 'CANCELLED';
    await endWarmup(trx, mailboxId, isFailure ? 'failed' : 'user');
  },
};

/** A run that was stopped and followed by another one has ended, whatever the row says now. */
async function lockState(
  trx: Transaction<Database>,
  mailboxId: number,
  operationId?: number,
): Promise<JobState> {
  const row = await lockWarmup(trx, mailboxId);
  if (!row) return 'over';
  if (operationId !== undefined) {
    const latest = await findLatestOperation(trx, 'warmup', mailboxId);
    if (latest?.id !== operationId) return 'over';
  }
  return warmupJobState(row.status);
}

/** All data of a session, in one statement: the whole cost of an idle mailbox. */
export interface WarmupSnapshot {
  row: Warmup;
  email: string;
  /** Undefined: the mailbox cannot be reached. */
  login: SealedLogin | undefined;
  isMailboxActive: boolean;
  /** Of its cluster; a connected mailbox has none that could be down. */
  inboxStatus: string;
  /** Nothing would leave its server. */
  isPort25Closed: boolean;
  timezone: string;
  /** Cold messages a day; null = the configured limit. */
  dailyLimit: number | null;
  latestOperationId: number | null;
  /** When its next message is planned for; null: none is. */
  nextMessageAt: Date | null;
}

export async function readWarmupSnapshot(
  db: Kysely<Database>,
  mailboxId: number,
): Promise<WarmupSnapshot | undefined> {
  const found = await db
    .selectFrom('warmups')
    .innerJoin('mailboxes', 'mailboxes.id', 'warmups.mailbox_id')
    .innerJoin('mailbox_hosts as host', 'host.mailbox_id', 'mailboxes.id')
    .innerJoin('users', 'users.user_id', 'warmups.user_id')
    .selectAll('warmups')
    .select((eb) => [
      'mailboxes.email',
      'mailboxes.password',
      'mailboxes.status as mailbox_status',
      'mailboxes.daily_limit',
      'host.inbox_status',
      'host.host_name',
      'host.servers',
      sql<boolean>`coalesce(host.sending_hold in ('port_25_closed', 'rebuilding'), false)`.as(
        'is_port25_closed',
      ),
      'users.timezone',
      eb
        .selectFrom('operations')
        .select((operation) => operation.fn.max('operations.id').as('id'))
        .where('operations.resource_type', '=', 'warmup')
        .whereRef('operations.resource_id', '=', 'warmups.mailbox_id')
        .as('latest_operation_id'),
      eb
        .selectFrom('warmup_letters')
        .select('planned_at')
        .whereRef('from_mailbox_id', '=', 'warmups.mailbox_id')
        .where('state', 'in', ['planned'])
        .orderBy('planned_at')
        .limit(1)
        .as('next_letter_at'),
    ])
    .where('warmups.mailbox_id', '=', mailboxId)
    .executeTakeFirst();
  if (!found) return undefined;
  const {
    email,
    password,
    mailbox_status,
    inbox_status,
    host_name,
    servers,
    is_port25_closed,
    timezone,
    ...rest
  } = found;
  const { latest_operation_id, next_letter_at, daily_limit, ...row } = rest;
  return {
    row,
    email,
    login: sealedLoginOf({ email, password, host_name, servers }),
    isMailboxActive: mailbox_status === 'active',
    inboxStatus: inbox_status,
    isPort25Closed: is_port25_closed,
    timezone,
    dailyLimit: daily_limit,
    latestOperationId: latest_operation_id === null ? null : Number(latest_operation_id),
    nextMessageAt: next_letter_at,
  };
}
