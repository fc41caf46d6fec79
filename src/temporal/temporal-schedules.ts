/** The Schedules that a worker maintains on the Temporal server. */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import {
  CHECK_MAIL_HOSTS_EVERY_SECONDS,
  CHECK_MAIL_HOSTS_SCHEDULE_ID,
  checkMailHostsType,
} from '../../workflows/contracts/check-mail-hosts.ts';
import {
  COMPLETE_RECORDS_EVERY_SECONDS,
  COMPLETE_RECORDS_SCHEDULE_ID,
  completeRecordsType,
} from '../../workflows/contracts/complete-records.ts';
import {
  DELIVER_WEBHOOKS_SCHEDULE_ID,
  type DeliverWebhooksInput,
} from '../../workflows/contracts/deliver-webhooks.ts';
import {
  READ_MAIL_REPORTS_EVERY_SECONDS,
  READ_MAIL_REPORTS_SCHEDULE_ID,
  readMailReportsType,
  type ReadMailReportsInput,
} from '../../workflows/contracts/read-mail-reports.ts';
import { WORKFLOW_QUEUE } from '../domain/operations/queues.ts';
import {
  RECONCILE_BOOKS_EVERY_SECONDS,
  RECONCILE_BOOKS_SCHEDULE_ID,
  RECONCILE_SCHEDULE_ID,
  reconcileBooksType,
  type ReconcileBooksInput,
} from '../../workflows/contracts/reconcile.ts';
import {
  RENEW_DOMAINS_EVERY_SECONDS,
  RENEW_DOMAINS_SCHEDULE_ID,
  renewDomainsType,
  type RenewDomainsInput,
} from '../../workflows/contracts/renew-domains.ts';
import {
  PUBLISH_MTA_STS_EVERY_SECONDS,
  PUBLISH_MTA_STS_SCHEDULE_ID,
  publishMtaStsType,
} from '../../workflows/contracts/publish-mta-sts.ts';
import {
  ROTATE_DKIM_KEYS_EVERY_SECONDS,
  ROTATE_DKIM_KEYS_SCHEDULE_ID,
  rotateDkimKeysType,
} from '../../workflows/contracts/rotate-dkim-keys.ts';
import type { Context } from '../context.ts';

/** Schedules of earlier releases, whose work has become standing work of the workers. Safe to repeat. */
export async function dropFormerSchedules({ temporal }: Pick<Context, 'temporal'>): Promise<void> {
  for (const id of [RECONCILE_SCHEDULE_ID, DELIVER_WEBHOOKS_SCHEDULE_ID]) {
    await temporal.schedule
      .getHandle(id)
      .delete()
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      });
  }
}

/** The Schedule that compares vendor records with ours and heals what is safe. Safe to repeat. */
export function ensureBooksSchedule(context: Context): Promise<void> {
  const input: ReconcileBooksInput = {
    heal: 'safe',
    vendors: 'due',
    actor: 'system',
    reason: 'found by the Schedule reconcile-books',
  };
  return keepSchedule(context, {
    id: RECONCILE_BOOKS_SCHEDULE_ID,
    workflowType: reconcileBooksType,
    everySeconds: RECONCILE_BOOKS_EVERY_SECONDS,
    catchupWindow: '1 minute',
    input,
  });
}

/** The daily Schedule that renews domains and checks their records. Safe to repeat. */
export const ensureRenewalSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: RENEW_DOMAINS_SCHEDULE_ID,
    workflowType: renewDomainsType,
    everySeconds: RENEW_DOMAINS_EVERY_SECONDS,
    // A day missed while the server was down is caught up.
    catchupWindow: '1 day',
  });

/** The Schedule that looks whether messages of the mail hosts leave and are welcome. Safe to repeat. */
export const ensureHostCheckSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: CHECK_MAIL_HOSTS_SCHEDULE_ID,
    workflowType: checkMailHostsType,
    everySeconds: CHECK_MAIL_HOSTS_EVERY_SECONDS,
    catchupWindow: '1 minute',
  });

/** The Schedule by which each domain gets a new DKIM key from time to time. Safe to repeat. */
export const ensureKeyRotationSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: ROTATE_DKIM_KEYS_SCHEDULE_ID,
    workflowType: rotateDkimKeysType,
    everySeconds: ROTATE_DKIM_KEYS_EVERY_SECONDS,
    catchupWindow: '1 minute',
  });

/** The Schedule that reads what comes to `postmaster@` and `abuse@` of the domains. Safe to repeat. */
export const ensureMailReportsSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: READ_MAIL_REPORTS_SCHEDULE_ID,
    workflowType: readMailReportsType,
    everySeconds: READ_MAIL_REPORTS_EVERY_SECONDS,
    catchupWindow: '1 minute',
  });

/** The Schedule that gives each domain its MTA-STS policy. Safe to repeat. */
export const ensureMtaStsSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: PUBLISH_MTA_STS_SCHEDULE_ID,
    workflowType: publishMtaStsType,
    everySeconds: PUBLISH_MTA_STS_EVERY_SECONDS,
    catchupWindow: '1 minute',
  });

/** The Schedule that gives domains the records that came into the plan after theirs. Safe to repeat. */
export const ensureRecordsSchedule = (context: Context): Promise<void> =>
  keepSchedule(context, {
    id: COMPLETE_RECORDS_SCHEDULE_ID,
    workflowType: completeRecordsType,
    everySeconds: COMPLETE_RECORDS_EVERY_SECONDS,
    catchupWindow: '1 minute',
  });

/** Creates a Schedule, or updates it to this release's definition, this process's pace and newest key. */
async function keepSchedule(
  { temporal, config }: Context,
  wanted: {
    id: string;
    workflowType: string;
    everySeconds: number;
    catchupWindow: '1 minute' | '1 day';
    /** None by default: a run ends when its work does. */
    executionTimeout?: '1 minute';
    /** The pace by default. */
    input?: object;
  },
): Promise<void> {
  const paced: DeliverWebhooksInput & RenewDomainsInput & ReadMailReportsInput = {
    pace: {
      retryPace: config.RETRY_PACE,
      heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
      blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
    },
  };
  const { id, workflowType, everySeconds, catchupWindow, executionTimeout, input = paced } = wanted;
  const schedule = {
    spec: { intervals: [{ every: `${everySeconds} seconds` as const }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      taskQueue: WORKFLOW_QUEUE,
      args: [input],
      ...(executionTimeout && { workflowExecutionTimeout: executionTimeout }),
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  };
  try {
    await temporal.schedule.create({ scheduleId: id, ...schedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await temporal.schedule.getHandle(id).update(({ state }) => ({ ...schedule, state }));
  }
}
