/** The literal address that is called for a mail server. */
import { HOST_FORBIDDEN } from '../../domain/mailboxes/connection-problems.ts';
import { ProviderError } from '../../domain/errors.ts';
import { guardedAddresses } from '../address-guard.ts';
import { addressOf, firstAddress } from '../network.ts';
import { PROVIDER } from './failures.ts';
import type { TransportTools } from './port.ts';

/** Throws `unavailable` where it has none, or, for a guarded one, any that is not public. */
export async function calledAddress(
  {
    dns,
    reach,
    guard = { allowBenchmarkRange: false },
  }: Pick<TransportTools, 'dns' | 'reach' | 'guard'>,
  { host, isGuarded = false }: { host: string; isGuarded?: boolean },
): Promise<string> {
  if (!isGuarded) return addressOf(PROVIDER, { dns, reach }, host);
  const addresses = await guardedAddresses(dns, host, guard);
  // The resolver of test mode knows the hosts of the sandbox alone: what it does not know is outside.
  const isOutside = guard.reach === 'benchmark' && addresses.length === 0;
  if (addresses === 'forbidden' || isOutside) {
    throw new ProviderError('unavailable', `${PROVIDER}: ${host} may not be called`, {
      provider: PROVIDER,
      providerCode: HOST_FORBIDDEN,
    });
  }
  // Not resolved once more: another answer would not have been judged.
  return firstAddress(PROVIDER, { addresses, reach }, host);
}
