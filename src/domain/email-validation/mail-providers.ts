/** The provider that runs a mail exchanger: few providers serve many companies. */
import { getDomain } from 'tldts';

/** Providers with exchangers in several domains. Others are identified by their only one. */
const DOMAINS_OF: Readonly<Record<string, readonly string[]>> = {
  // Each tenant of Exchange Online has a name of its own: `acme-com.mail.protection.outlook.com`.
  microsoft: ['outlook.com', 'mx.microsoft', 'hotmail.com', 'outlook.de', 'office365.us'],
  google: ['google.com', 'googlemail.com', 'gmail.com', 'smtp.goog', 'psmtp.com'],
  yahoo: ['yahoodns.net', 'yahoo.com', 'aol.com'],
  proofpoint: ['pphosted.com', 'ppe-hosted.com', 'gpphosted.com'],
  mimecast: ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'],
  messagelabs: ['messagelabs.com', 'messagelabs.net'],
  barracuda: ['barracudanetworks.com', 'cudaops.com'],
  cisco: ['iphmx.com', 'cisco.com'],
  godaddy: ['secureserver.net'],
  ionos: ['kundenserver.de', 'ionos.com', '1and1.com', 'perfora.net'],
  'united-internet': ['gmx.net', 'web.de', 'gmx.com', 'mail.com'],
  apple: ['icloud.com'],
  ovh: ['ovh.net', 'ovh.ca'],
  zoho: ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com'],
};

const PROVIDER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(DOMAINS_OF).flatMap(([provider, domains]) =>
    domains.map((domain) => [domain, provider] as const),
  ),
);

/** `microsoft`, or the registrable domain of the exchanger's name. */
export function mailProviderOf(exchanger: string): string {
  const domain = getDomain(exchanger) ?? exchanger;
  return PROVIDER_OF.get(domain) ?? domain;
}
