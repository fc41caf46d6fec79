/** Faults of protocols other than HTTP: what a host does instead of answering. */
import { waitOut, type SandboxCore } from '../core.ts';
import type { FaultKind, Vendor } from '../faults.ts';

/** `slow` and `lag` are over by then: they only delay. */
export type Mishap = Exclude<FaultKind, 'slow' | 'lag'>;

/**
 * The fault of this step. `step` is written as an operation: `CONNECT`, `AUTH`, `RCPT`, `DATA`,
 * `LOGIN`, `EXEC /set-mailbox`. A fault without an operation hits the next step of any kind, except
 * `timeout_after_effect`, which waits for one that has an effect.
 */
export async function mishapAt(
  core: Pick<SandboxCore, 'faults' | 'wait' | 'pause' | 'closing'>,
  vendor: Vendor,
  step: string,
): Promise<Mishap | undefined> {
  if (!hasEffect(step) && waitsForEffect(core, vendor)) return undefined;
  const fault = core.faults.take(vendor, step);
  if (fault === undefined) return undefined;
  if (fault.kind === 'slow' || fault.kind === 'lag') {
    await waitOut(core, fault);
    return undefined;
  }
  return fault.kind;
}

const hasEffect = (step: string): boolean => /^(DATA|EXEC|APPEND)\b/.test(step);

const waitsForEffect = (core: Pick<SandboxCore, 'faults'>, vendor: Vendor): boolean =>
  core.faults
    .list()
    .some(
      (fault) =>
        fault.vendor === vendor &&
        fault.operation === undefined &&
        fault.kind === 'timeout_after_effect',
    );
