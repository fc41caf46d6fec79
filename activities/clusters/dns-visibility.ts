/** Whether the world sees the records of a domain, and what is said while it does not. */
import type { ForbiddenName } from '../../src/domain/domains/caa.ts';
import { policyOf, type PlannedRecord } from '../../src/domain/domains/dns-plan.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { DnsResolver } from '../../src/providers/dns/port.ts';

/** Whether the record, or the owner's own in its place, can be seen; true for those that nothing waits for. */
export async function isVisible(
  dns: DnsResolver,
  name: string,
  record: PlannedRecord,
): Promise<boolean> {
  switch (record.type) {
    case 'A':
      return (await dns.resolveA(name)).includes(record.value);
    case 'MX':
      return (await dns.resolveMx(name)).some(({ exchange }) => exchange === record.value);
    case 'TXT': {
      const policy = policyOf(record);
      // Reports only help us: nobody waits for their record, nor a run that began before there was one.
      if (policy === 'TLSRPT') return true;
      const texts = await dns.resolveTxt(name);
      return policy
        ? texts.some((value) => policyOf({ ...record, value }) === policy)
        : texts.includes(record.value);
    }
    // SRV only helps mail programs to find the host, CAA only keeps others out; nothing here depends on them.
    default:
      return true;
  }
}

export const notVisible = (missing: string[]) =>
  new ProviderError('not_ready', `Not visible in DNS yet: ${missing.join(', ')}`, {
    provider: 'dns',
    operatorHint: 'Check the records at the registrar and that DNS_SERVERS answers.',
  });

/** Not ready, either: it is asked again until the owner has set what is named. */
export const isForbidden = (found: readonly ForbiddenName[]) =>
  new ProviderError('not_ready', found.map(({ message }) => message).join('; '), {
    provider: 'dns',
    providerCode: 'caa',
    operatorHint: 'The owner of the domain has to set the CAA record that is named.',
  });
