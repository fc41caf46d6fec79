/** Which DNS records a mail domain needs, and how they are merged into what is there. */

/** Record types that the API knows. Spec: Domains; choice 24. */
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'NS'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];
