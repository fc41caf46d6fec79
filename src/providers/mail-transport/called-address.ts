/** The literal address that is called for a mail server. */
import { HOST_FORBIDDEN } from '../../domain/mailboxes/connection-problems.ts';
import { ProviderError } from '../../domain/errors.ts';
import { guardedAddresses, isInternalAddress } from '../address-guard.ts';
import { addressesOf, firstAddress } from '../network.ts';
import { PROVIDER } from './failures.ts';
import type { RelayAccess, TransportTools } from './port.ts';

/** Throws `unavailable` where it has none, or any at which this host MUST NOT be. */
export async function calledAddress(
  {
    dns,
    reach,
    guard = { allowBenchmarkRange: false },
  }: Pick<TransportTools, 'dns' | 'reach' | 'guard'>,
  { host, mustBe }: Pick<RelayAccess, 'host' | 'mustBe'>,
): Promise<string> {
  if (mustBe !== 'public') {
    const addresses = await addressesOf(dns, host);
    const isInside = mustBe === 'outside' && addresses.some(isInternalAddress);
    if (isInside) throw forbidden(host, `The records of ${host} lead to an internal address.`);
    return firstAddress(PROVIDER, { addresses, reach }, host);
  }
  const addresses = await guardedAddresses(dns, host, guard);
  // The resolver of test mode knows the hosts of the sandbox alone: what it does not know is outside.
  const isOutside = guard.reach === 'benchmark' && addresses.length === 0;
  if (addresses === 'forbidden' || isOutside) throw forbidden(host);
  // Not resolved once more: another answer would not have been judged.
  return firstAddress(PROVIDER, { addresses, reach }, host);
}

const forbidden = (host: string, operatorHint?: string) =>
  new ProviderError('unavailable', `${PROVIDER}: ${host} may not be called`, {
    provider: PROVIDER,
    providerCode: HOST_FORBIDDEN,
    ...(operatorHint !== undefined && { operatorHint }),
  });
