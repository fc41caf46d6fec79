/** Checkers over a sandbox's vendors, and jobs run without a workflow. */
import { pino } from 'pino';
import {
  emailValidationActivities,
  type EmailBatchResult,
} from '../../../activities/email-validation/email-validation.ts';
import { emailValidationRows } from '../../../src/db/email-validation/email-validation-jobs.ts';
import { createProbePlaces } from '../../../src/db/email-validation/probe-places.ts';
import type { EmailChecker } from '../../../src/domain/email-validation/email-check.ts';
import { createEmailChecker } from '../../../src/services/email-validation/email-checker.ts';
import { createDnsResolver } from '../../../src/providers/dns/index.ts';
import { emailVerifiers } from '../../../src/providers/email-verifiers/index.ts';
import type { EmailVerifier } from '../../../src/providers/email-verifiers/port.ts';
import type { ProviderTools } from '../../../src/providers/vendor.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { activityEnvironment } from '../workflows/activity-environment.ts';
import type { TestDatabase } from '../database/database.ts';
import { PROBE_SETTINGS } from './mx-lab.ts';

export type VerifierName = keyof typeof emailVerifiers;

/** The settings of each verifier at the sandbox. */
export const verifierSettings = (url: string): Record<VerifierName, Record<string, string>> => ({
  reacher: { REACHER_KEY: 'reacher-sandbox-key', REACHER_URL: `${url}/reacher` },
  zerobounce: {
    ZEROBOUNCE_KEY: 'zerobounce-sandbox-key',
    ZEROBOUNCE_URL: `${url}/zerobounce/v2`,
    ZEROBOUNCE_BULK_URL: `${url}/zerobounce/v2`,
    ZEROBOUNCE_BATCHES_PER_MINUTE: '6000',
  },
  smtp_probe: PROBE_SETTINGS,
});

/** One verifier of the sandbox, with settings changed. */
export function sandboxVerifier(
  sandbox: Pick<Sandbox, 'url' | 'dns' | 'socks'>,
  name: VerifierName,
  changed: Record<string, string> = {},
  tools: Partial<ProviderTools> = {},
): EmailVerifier {
  const state = emailVerifiers[name].configure({
    ...verifierSettings(sandbox.url)[name],
    ...changed,
  });
  if (state.state !== 'on') throw new Error(`${name} is not configured`);
  const timeoutMs = tools.timeoutMs ?? 15_000;
  return state.create({
    timeoutMs,
    outboundProxy: sandbox.socks,
    dns: createDnsResolver({ servers: [sandbox.dns], timeoutMs }),
    allowBenchmarkRange: true,
    ...tools,
  });
}

/** A checker with these verifiers of the sandbox, in this order. */
export const sandboxChecker = (
  database: Pick<TestDatabase, 'db'>,
  sandbox: Pick<Sandbox, 'url' | 'dns' | 'socks'>,
  names: readonly VerifierName[],
  tools: Partial<ProviderTools> = {},
): EmailChecker =>
  createEmailChecker({
    db: database.db,
    dns: createDnsResolver({ servers: [sandbox.dns], timeoutMs: 5_000 }),
    emailVerifiers: Object.fromEntries(
      names.map((name) => [
        name,
        sandboxVerifier(
          sandbox,
          name,
          {},
          { probePlaces: createProbePlaces(database.db), ...tools },
        ),
      ]),
    ),
    clock: { now: () => new Date() },
    logger: pino({ level: 'silent' }),
  });

/** Does what `verifyEmails` does, without waiting longer than `maxWaitMs` for greylists. */
export async function runValidation(
  context: { db: TestDatabase['db']; emailChecker: EmailChecker },
  jobId: number,
  { retryPace = 0.001, maxBatches = 100 } = {},
): Promise<number> {
  const clock = { now: () => new Date() };
  const activities = emailValidationActivities({ ...context, clock, temporal: {} as never });
  const work = () => activities.checkEmailBatch({ jobId, retryPace });
  for (let batches = 1; batches <= maxBatches; batches += 1) {
    const page = (await activityEnvironment().run(work)) as EmailBatchResult;
    if (page.state !== 'active' || page.isDone) {
      const outcome = page.isDone ? 'succeeded' : 'failed';
      const error = { code: 'CANCELLED', message: 'Cancelled' };
      await context.db
        .transaction()
        .execute((trx) => emailValidationRows.settle(trx, jobId, { outcome, error }));
      return batches;
    }
    await new Promise((resolve) => setTimeout(resolve, page.waitMs));
  }
  throw new Error('the job never ends');
}
