/** Wakes validations that wait for what an operator has cured: credits, credentials, port 25. */
import { lookNowSignal } from '../../../workflows/contracts/verify-emails.ts';
import type { Context } from '../../context.ts';
import { listWaitingJobs, wakeWaitingJob } from '../../db/email-validation/waiting-jobs.ts';
import type { VerifierWait } from '../../domain/email-validation/email-validation.ts';
import { signalWorkflow } from '../operations/workflow-signals.ts';

/** Answers which jobs look again now. Safe to repeat. Throws `upstream` where Temporal does not answer. */
export async function wakeValidations(
  { db, temporal, clock }: Pick<Context, 'db' | 'temporal' | 'clock'>,
  reasons: readonly VerifierWait[],
): Promise<number[]> {
  const woken: number[] = [];
  for (const { id, workflow_id, run_key } of await listWaitingJobs(db, reasons)) {
    const isWoken = await db.transaction().execute(async (trx) => {
      if (!(await wakeWaitingJob(trx, id, clock.now()))) return false;
      if (workflow_id !== null) {
        const operation = { workflow_id, run_key };
        await signalWorkflow({ temporal }, operation, (handle) => handle.signal(lookNowSignal));
      }
      return true;
    });
    if (isWoken) woken.push(id);
  }
  return woken;
}
