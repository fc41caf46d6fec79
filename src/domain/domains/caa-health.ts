/** Whether a domain's CAA records let its mail host have its certificates. */
import { listForbidden, type CaaLookups } from './caa.ts';
import { fullName, type MailDomain } from './dns-plan.ts';
import { policyHost } from './mta-sts.ts';

/** A mail domain with the certificates that its host has, or would have, of an authority. */
export interface CertifiedMailDomain extends MailDomain {
  /** The authority's name in CAA records; undefined where nobody knows it. */
  issuer: string | undefined;
  /** Whether the host has to have a certificate of `mta-sts.<domain>`, too. */
  hasPolicy: boolean;
}

/** Without a certificate nobody logs in: a host that keeps it out fails; without a policy mail still comes. */
export async function checkAuthority(
  dns: CaaLookups,
  { domain, hostName, issuer, hasPolicy }: CertifiedMailDomain,
): Promise<{ state: 'ok' | 'warning' | 'failing' | 'not_applicable'; message: string }> {
  if (issuer === undefined) {
    const message = 'The name of the certificate authority is not set.';
    return { state: 'not_applicable', message };
  }
  const policyHosts = hasPolicy ? [fullName(policyHost('').name, domain)] : [];
  const names = [hostName, ...policyHosts];
  const forbidden = await listForbidden(dns, { names, issuer });
  if (forbidden.length === 0) {
    const message = `${issuer} may give ${names.join(' and ')} certificates.`;
    return { state: 'ok', message };
  }
  const message = forbidden.map((one) => one.message).join('; ');
  const isHost = forbidden.some(({ name }) => name === hostName);
  return { state: isHost ? 'failing' : 'warning', message };
}
