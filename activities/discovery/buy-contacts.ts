/** Contacts from finders, in their order, only for companies that have none. Each is bought once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { listUnanswered, type ProcessCompany } from '../../src/db/lead-process-companies.ts';
import { stopFinder } from '../../src/db/lead-process-finders.ts';
import type { LeadProcess } from '../../src/db/lead-processes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { inParallel } from './in-parallel.ts';
import type { Need } from './enrich-contacts.ts';
import { activeFinders, type ActivityRun, type DiscoveryContext } from './process.ts';
import { buyOnce, reuse, type Purchase } from './purchase.ts';
import { troubleOf } from './source-trouble.ts';

/** Requests to finders in flight: what a killed worker leaves uncertain at most. */
const QUESTIONS_AT_ONCE = 8;

const PAGE = 100;

/** A finder that fails so often in a row is left out of this process; about five minutes. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** An answer that somebody else waits for is looked at again after so long. */
const BUSY_WAIT_MS = 5_000;

export async function buyContacts(
  context: DiscoveryContext,
  process: LeadProcess,
  { run, need }: { run: ActivityRun; need: Need },
): Promise<void> {
  const buying: Buying = {
    context,
    process,
    run,
    need,
    finders: await activeFinders(context, process.id),
    underWay: 0,
    busy: 0,
    isStopped: false,
  };
  do {
    buying.busy = 0;
    await inParallel(QUESTIONS_AT_ONCE, companiesOf(buying), (company) => ask(buying, company));
    if (buying.busy === 0) return;
    const wait = BUSY_WAIT_MS * context.config.RETRY_PACE;
    await sleep(wait, undefined, { signal: run.signal });
  } while (!isDone(buying));
}

interface Buying {
  context: DiscoveryContext;
  process: LeadProcess;
  run: ActivityRun;
  need: Need;
  /** Those that can be asked; shrinks when one has no credits left. */
  finders: string[];
  /** Companies that are being asked about: each may give a contact. */
  underWay: number;
  /** Companies whose answer is somebody else's to record. */
  busy: number;
  /** The row wants no more work. */
  isStopped: boolean;
}

const isDone = ({ isStopped, run, finders, need }: Buying) =>
  isStopped || run.isOver() || run.signal.aborted || finders.length === 0 || need.missing <= 0;

async function* companiesOf(buying: Buying): AsyncGenerator<ProcessCompany> {
  const { context, process } = buying;
  let after = 0;
  for (;;) {
    const vendors = buying.finders;
    const page = await listUnanswered(context.db, process.id, { vendors, after, limit: PAGE });
    for (const company of page) {
      // Whoever is asked about may be the last that is needed.
      while (buying.underWay > 0 && buying.need.missing <= buying.underWay && !isDone(buying)) {
        await sleep(20);
      }
      if (isDone(buying)) return;
      buying.underWay += 1;
      yield company;
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

/** Asks the finders one after the other until one knows somebody. */
async function ask(buying: Buying, company: ProcessCompany): Promise<void> {
  try {
    const reused = await reuse(buying.context, purchaseOf(buying, company, ''));
    if (reused === 'over') buying.isStopped = true;
    else if (reused > 0) buying.need.missing -= reused;
    else await askEach(buying, company);
  } finally {
    buying.underWay -= 1;
  }
}

async function askEach(buying: Buying, company: ProcessCompany): Promise<void> {
  for (const vendor of buying.finders) {
    if (company.asked.includes(vendor) || !buying.finders.includes(vendor)) continue;
    const found = await askVendor(buying, purchaseOf(buying, company, vendor));
    if (found === 'busy') buying.busy += 1;
    if (typeof found === 'number') buying.need.missing -= found;
    if (buying.isStopped || found === 'busy' || (typeof found === 'number' && found > 0)) return;
  }
}

const purchaseOf = (buying: Buying, company: ProcessCompany, vendor: string): Purchase => ({
  process: buying.process,
  company,
  vendor,
  attempt: buying.run.attempt,
});

/** What refuses without effect is asked again; what stays in trouble is left out. */
async function askVendor(buying: Buying, purchase: Purchase): Promise<number | 'busy' | undefined> {
  const { context, run } = buying;
  const { vendor } = purchase;
  for (let tries = 1; buying.finders.includes(vendor); tries += 1) {
    try {
      const found = await buyOnce(context, purchase);
      if (found === 'over') buying.isStopped = true;
      return found === 'over' ? undefined : found;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const isPassing = error.kind !== 'auth' && error.kind !== 'quota';
      if (!isPassing || tries >= MAX_TRIES) {
        buying.finders = buying.finders.filter((name) => name !== vendor);
        context.logger.warn({ err: error, vendor }, 'a contact finder is left out');
        const note = `${troubleOf(vendor, error)}: skipped`;
        await stopFinder(context.db, purchase.process.id, vendor, note);
        return undefined;
      }
      if (isDone(buying)) return undefined;
      await sleep(waitOf(error, tries, context.config.RETRY_PACE), undefined, {
        signal: run.signal,
      });
    }
  }
  return undefined;
}

/** What the vendor asks for is not hurried; our own backoff follows the pace. */
const waitOf = ({ facts }: ProviderError, tries: number, pace: number) =>
  Math.min(LONGEST_WAIT_MS, facts.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1) * pace);
