/** Addresses, people and verifications as Hunter's API shows them. */
import { nameOf, type KnownContact } from '../catalogues/contacts.ts';
import { magicVerdict } from '../verifiers/magic-addresses.ts';

export const typeOf = (contact: KnownContact) => (nameOf(contact) === '' ? 'generic' : 'personal');

export const companyOf = (domain: string) => ({
  domain,
  disposable: false,
  webmail: false,
  accept_all: domain.startsWith('catchall-'),
  organization: domain.split('.')[0],
});

export const shownAddress = (contact: KnownContact) => ({
  value: contact.email,
  type: typeOf(contact),
  confidence: contact.confidence ?? 90,
  sources: [],
  ...shownPerson(contact),
  seniority: contact['seniority'] ?? null,
  department: contact['department'] ?? null,
  linkedin: contact.linkedin ?? null,
});

const shownPerson = (contact: KnownContact) => ({
  first_name: contact.firstName ?? null,
  last_name: contact.lastName ?? null,
  position: contact.position ?? null,
  twitter: null,
  phone_number: contact.phone ?? null,
  verification: {
    date: contact.verification == null ? null : '2026-11-01',
    status: contact.verification ?? null,
  },
});

export const shownFind = (domain: string, name: string, found: KnownContact | undefined) => ({
  first_name: name.split(' ')[0],
  last_name: name.split(' ').slice(1).join(' '),
  ...(found && shownPerson(found)),
  email: found?.email ?? null,
  score: found === undefined ? null : (found.confidence ?? 90),
  domain,
  accept_all: domain.startsWith('catchall-'),
  linkedin_url: found?.linkedin ?? null,
  company: domain.split('.')[0],
  sources: [],
});

/** By the same magic names as the verifiers. */
export function shownVerification(email: string): object {
  const verdict = magicVerdict(email);
  const status = verdict === 'catch-all' ? 'accept_all' : verdict;
  return {
    status,
    score: { valid: 97, accept_all: 60, unknown: 40, disposable: 40, invalid: 0 }[status],
    email,
    regexp: true,
    gibberish: false,
    disposable: status === 'disposable',
    webmail: false,
    mx_records: true,
    smtp_server: true,
    smtp_check: status === 'valid',
    accept_all: status === 'accept_all',
    block: false,
    sources: [],
  };
}
