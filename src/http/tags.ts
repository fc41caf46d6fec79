/** The areas of the API, in the order of the document. */
export const TAGS = {
  Health: 'Whether the service is up, and its parts are.',
  'API keys': 'Keys of programs: their scopes, their addresses, their rotation.',
  Account: 'Who sends: the name and the postal address that messages must carry.',
  Wallet: 'The prepaid balance: what comes in, what is held, what was spent.',
  Domains: 'Names that are bought or brought along, their DNS records and their health.',
  Clusters: 'A domain with a mail server for it. Made, taken down and watched as a long operation.',
  Mailboxes: 'Addresses on a cluster, their credentials and their limits.',
  'Lead discovery': 'Searches of ad libraries that turn advertisers into leads.',
  Leads: 'People who can be written to; also whole files of them.',
  Companies: 'Whom leads work for.',
  'Lead lists': 'Groups of companies, and of the leads in them.',
  Suppressions: 'Who is never written to, and the erasure of a person.',
  'Maps scraper': 'Searches of a map that turn businesses into leads.',
  Schedules: 'Map searches, discoveries and placement tests on days of your choice.',
  'Email validation': 'Whether an address exists, singly and in bulk.',
  Campaigns: 'Sequences of messages to leads: times, texts, progress, results.',
  Inbox: 'What comes into all mailboxes, and answers to it.',
  'Warm-up': 'Mail between mailboxes that earns a new one its reputation.',
  Placement: 'Seed mailboxes of yours, and where a campaign’s message lands in them.',
  Webhooks: 'Events, and the endpoints that they are posted to.',
  Operations: 'Long work: its steps, and why it waits.',
  'Audit log': 'Who changed what, when and from where.',
  'Links in messages': 'What recipients follow: no account, no token.',
  Documentation: 'This document.',
} as const;

export type Tag = keyof typeof TAGS;
