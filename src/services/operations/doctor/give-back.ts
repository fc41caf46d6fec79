/** Gives back what a trial of `outreach doctor --order` rented, also one of an earlier doctor that was killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { endTrial, listOpenTrials } from '../../../db/operations/doctor-trials.ts';
import { TRIAL_LIMIT_MS } from '../../../domain/operations/doctor-trials.ts';
import { ProviderError } from '../../../domain/errors.ts';
import type { Registrar } from '../../../providers/registrars/port.ts';
import type { VpsProvider } from '../../../providers/vps/port.ts';

type Needs = Pick<Context, 'config' | 'clock'>;

/** A vendor is asked to delete for so long. */
const DELETE_LIMIT_MS = 10 * 60_000;
/** How often a vendor is asked whether something is there yet, at full pace. */
const POLL_MS = 3_000;

export interface Trial {
  name: string;
  vps: VpsProvider;
  /** Undefined where it is not configured any more: its record stays. */
  registrar: Registrar | undefined;
  domain: string;
}

/**
 * Deletes the server, its key and its record. Succeeds only when nothing is left, also of an order whose answer
 * was lost. Safe to repeat.
 */
export async function giveBack(context: Needs, trial: Trial): Promise<void> {
  const { name, vps, registrar, domain } = trial;
  // An order without an answer may appear late.
  if (!(await patiently(context, () => vps.findByName(name)))) {
    await sleep(context.config.PROVIDER_LAG_SECONDS * 1_000);
  }
  await patiently(context, () => vps.destroy(name));
  await patiently(context, async () => {
    const records = (await registrar?.listRecords(domain)) ?? [];
    for (const { id } of records.filter((one) => one.name === name)) {
      await registrar?.deleteRecord(domain, id);
    }
  });
}

/** What the vendors of trials offer. */
type Vendors = Pick<Context, 'db' | 'config' | 'clock' | 'vps' | 'registrars'>;

/** Gives back what earlier doctors left behind; answers the names. Younger ones may be under way elsewhere. */
export async function giveBackLeftovers(context: Vendors): Promise<string[]> {
  const before = context.clock.now().getTime() - TRIAL_LIMIT_MS;
  const left = (await listOpenTrials(context.db)).filter(
    ({ started_at }) => started_at.getTime() < before,
  );
  for (const { name, provider, registrar, domain } of left) {
    const vps = context.vps[provider];
    if (!vps) {
      throw new ProviderError('auth', `${name} is at ${provider}, which is not configured`, {
        provider,
      });
    }
    await giveBack(context, { name, vps, registrar: context.registrars[registrar], domain });
    await endTrial(context.db, name, context.clock.now());
  }
  return left.map(({ name }) => name);
}

/** Repeats what heals alone, for minutes; what does not is thrown at once. */
async function patiently<T>(context: Needs, work: () => Promise<T>): Promise<T> {
  const latest = Date.now() + DELETE_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!healsAlone(error) || Date.now() > latest) throw error;
      await sleep(POLL_MS * context.config.RETRY_PACE);
    }
  }
}

/** Waits until `look` says true; whatever heals alone counts as "not yet". Throws once `limitMs` are over. */
export async function until(
  { config }: Needs,
  look: () => Promise<boolean>,
  wait: { limitMs: number; signal: AbortSignal; what: string },
): Promise<void> {
  const latest = Date.now() + wait.limitMs;
  for (;;) {
    wait.signal.throwIfAborted();
    const isThere = await look().catch((error: unknown) => {
      if (healsAlone(error)) return false;
      throw error;
    });
    if (isThere) return;
    if (Date.now() > latest) {
      throw new Error(`${wait.what} did not come within ${wait.limitMs / 60_000} minutes`);
    }
    await sleep(POLL_MS * config.RETRY_PACE, undefined, { signal: wait.signal });
  }
}

const HEALING = ['unavailable', 'rate_limited', 'not_ready', 'outcome_unknown'];

const healsAlone = (error: unknown): boolean =>
  error instanceof ProviderError &&
  HEALING.includes(error.kind) &&
  error.facts.providerCode !== 'first_boot_failed';
