/** Contacts from finders, in their order, only for companies that have none. Each is bought once. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  listUnanswered,
  type ProcessCompany,
} from '../../src/db/discovery/lead-process-companies.ts';
import { stopFinder } from '../../src/db/discovery/lead-process-finders.ts';
import type { LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vendorTrouble } from '../../src/domain/vendor-trouble.ts';
import { whileWaiting } from '../../src/tracing/waits.ts';
import { inParallel } from './in-parallel.ts';
import { type Need, activeFinders, type ActivityRun, type DiscoveryContext } from './process.ts';
import { buyOnce, reuse, type Purchase } from './purchase.ts';

/** Requests to finders in flight: at most this many are left uncertain by a killed worker. */
const QUESTIONS_AT_ONCE = 8;

const PAGE = 100;

/**
 * A finder that gives no answers for this long is left out of this process: shorter than an activity, so
 * that each activity makes progress. The pace shortens this for a finder that is down, not for rate
 * limits.
 */
const PATIENCE_MS = 3 * 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** How long until an answer that another worker waits for is checked again. */
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
    admissions: new Map(),
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
  /** Finders that can be asked; one is removed when it has no credits left. */
  finders: string[];
  /** Companies that are being asked about: each may give a contact. */
  underWay: number;
  /** Companies whose answer another worker will record. */
  busy: number;
  /** The process is paused or over. */
  isStopped: boolean;
  admissions: Map<string, RequestAdmission>;
}

/** State between us and one finder: all requests wait together when it limits the rate. */
interface RequestAdmission {
  /** When it last answered, or was first asked. */
  helpedAt: number;
  waitMs: number;
  opensAt: number;
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
      // The companies that are being asked about may give all the contacts still needed.
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

/** Asks the finders one after the other until one has a contact. */
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

/** A refusal without effect is retried; a finder that keeps failing is left out. */
async function askVendor(buying: Buying, purchase: Purchase): Promise<number | 'busy' | undefined> {
  const { context, run, admissions } = buying;
  const { vendor } = purchase;
  const now = () => context.clock.now().getTime();
  const admission = admissions.get(vendor) ?? { helpedAt: now(), waitMs: 0, opensAt: 0 };
  admissions.set(vendor, admission);
  while (buying.finders.includes(vendor) && !isDone(buying)) {
    const closed = admission.opensAt - now();
    if (closed > 0) {
      const waitMs = Math.min(closed, LONGEST_WAIT_MS);
      await whileWaiting(`${vendor}, which takes no more for now`, () =>
        sleep(waitMs, undefined, { signal: run.signal }),
      );
      continue;
    }
    try {
      const found = await buyOnce(context, purchase);
      Object.assign(admission, { helpedAt: now(), waitMs: 0 });
      if (found === 'over') buying.isStopped = true;
      return found === 'over' ? undefined : found;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (isHopeless(error, now() - admission.helpedAt, context.config.RETRY_PACE)) {
        await leaveOut(buying, purchase, error);
      } else if (now() >= admission.opensAt) {
        // Doubled once for all requests that were in flight.
        admission.waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, admission.waitMs * 2));
        const wait = error.facts.retryAfterMs ?? admission.waitMs * context.config.RETRY_PACE;
        admission.opensAt = now() + Math.max(wait, admission.waitMs * context.config.RETRY_PACE);
      }
    }
  }
  return undefined;
}

function isHopeless({ kind }: ProviderError, helplessMs: number, pace: number): boolean {
  if (kind === 'auth' || kind === 'quota') return true;
  return helplessMs > PATIENCE_MS * (kind === 'rate_limited' ? 1 : pace);
}

async function leaveOut(
  buying: Buying,
  { process, vendor }: Purchase,
  error: ProviderError,
): Promise<void> {
  const { context } = buying;
  buying.finders = buying.finders.filter((name) => name !== vendor);
  context.logger.warn({ err: error, vendor }, 'a contact finder is left out');
  await stopFinder(context.db, process.id, vendor, `${vendorTrouble(vendor, error)}: skipped`);
}
