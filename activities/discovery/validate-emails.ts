/** Step `validate_emails`: invalid addresses are left out, the others keep their score. */
import {
  listContacts,
  markChecked,
  type CheckedContact,
  type ProcessContact,
} from '../../src/db/discovery/lead-process-contacts.ts';
import { updateLeadProcess } from '../../src/db/discovery/lead-processes.ts';
import type { EmailCheck } from '../../src/domain/email-validation/email-check.ts';
import {
  closePage,
  currentRun,
  enterStep,
  whileActive,
  type DiscoveryContext,
  type DiscoveryInput,
  type DiscoveryPage,
} from './process.ts';

/** Addresses per request; the checker caches results, so a repeat asks little twice. */
const BATCH = 200;

export async function validateEmails(
  context: DiscoveryContext,
  { processId }: DiscoveryInput,
): Promise<DiscoveryPage> {
  const run = currentRun(context);
  let hasMore = (await enterStep(context, processId, 'validate_emails')) !== undefined;
  while (hasMore && !run.isOver()) {
    const contacts = await listContacts(context.db, processId, 'new', BATCH);
    if (contacts.length === 0) break;
    const emails = contacts.map(({ email }) => email);
    const checks = await context.emailChecker.check(emails, { signal: run.signal });
    hasMore = await keepChecks(context, processId, { contacts, checks });
  }
  return closePage(context, processId, 'validate_emails');
}

/** Verdicts and counter in one transaction. False when the process is paused or over. */
async function keepChecks(
  context: DiscoveryContext,
  processId: number,
  { contacts, checks }: { contacts: ProcessContact[]; checks: Map<string, EmailCheck> },
): Promise<boolean> {
  const checked = contacts.map(({ id, email }) => verdict(id, checks.get(email), context));
  const kept = await whileActive(context, processId, async (trx, process) => {
    const rejected = await markChecked(trx, checked);
    const processed_leads = process.processed_leads + rejected;
    if (rejected > 0) await updateLeadProcess(trx, processId, { processed_leads });
    return true;
  });
  return kept === true;
}

/** An address without a verdict is not scored lower for it. Choice 29. */
const verdict = (
  id: number,
  check: EmailCheck | undefined,
  { clock }: DiscoveryContext,
): CheckedContact => ({
  id,
  state: check?.status === 'invalid' ? 'rejected' : 'checked',
  score: check?.score ?? null,
  status: check?.status ?? null,
  reason: check?.reason ?? null,
  checkedAt: check?.checkedAt ?? clock.now().toISOString(),
});
