/** Refusals by several vendors, in words for the client, the log and the checklist. */
import { ApplicationFailure } from '@temporalio/workflow';
import { ADDRESS_LISTED } from '../../src/domain/clusters/sending-hold.ts';
import type { StepFailure } from './failures.ts';

export interface Refusal {
  vendor: string;
  failure: StepFailure;
  error: unknown;
}

/** `hetzner had no capacity, vultr refused (QuotaExceeded)`. */
export const wordsOf = (refusals: readonly Refusal[]): string =>
  refusals.map(({ vendor, failure }) => `${vendor} ${wordOf(failure)}`).join(', ');

const wordOf = ({ type, facts }: StepFailure): string => {
  if (facts.providerCode === ADDRESS_LISTED) return 'had only blocklisted addresses';
  return facts.clientCode === 'NO_CAPACITY' ? 'had no capacity' : `refused (${type})`;
};

/**
 * A single refusal is returned as it is. Several are combined into one failure that an operator has to
 * cure, each with what can be done about it. `deed` is what none of the vendors did.
 */
export function refusedByAll(refusals: readonly Refusal[], deed: string): unknown {
  const [first] = refusals;
  if (refusals.length === 1) return first!.error;
  const failures = refusals.map(({ failure }) => failure);
  const ours = failures.filter(({ cure }) => cure === 'operator');
  const main = ours.find(({ type }) => type === 'QuotaExceeded') ?? ours[0] ?? failures[0]!;
  const clientCode = ours.find(({ facts }) => facts.clientCode)?.facts.clientCode;
  const vendors = refusals.map(({ vendor }) => vendor);
  const hints = failures.flatMap(({ facts }) => facts.operatorHint ?? []);
  return ApplicationFailure.create({
    type: main.type,
    nonRetryable: true,
    message: `No vendor ${deed}: ${failures.map(({ message }) => message).join('; ')}`,
    details: [
      {
        provider: vendors.join(', '),
        vendors,
        ...(clientCode !== undefined && { clientCode }),
        ...(hints.length > 0 && { operatorHint: hints.join(' ') }),
      },
    ],
  });
}
