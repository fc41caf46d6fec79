/** Vendors, prices, time limits, and network access. */
import { z } from 'zod';
import { readEmailAddress } from '../domain/email-validation/email-address.ts';
import {
  parseRelay,
  parseSmarthost,
  RELAY_FORM,
  SMARTHOST_FORM,
} from '../domain/clusters/smarthost.ts';
import { vendors } from '../providers/vendors.ts';
import { list, oneOf, readable, seconds, someOf } from './values.ts';

export const vendorSettings = {
  DEFAULT_REGISTRAR: oneOf(vendors.registrars).default('namecom'),
  /** Asked in this order where the default refuses and the client named none, before the step is blocked. */
  REGISTRAR_ALTERNATES: someOf(vendors.registrars),
  DEFAULT_VPS: oneOf(vendors.vps).default('hetzner'),
  /** Asked in this order where the default refuses or has no capacity, before the step is blocked. */
  VPS_ALTERNATES: someOf(vendors.vps),
  DOMAIN_DIRECT_PRICE_CENTS: z.coerce.number().int().nonnegative().default(0),
  /** The price of one renewal for the user. */
  DOMAIN_RENEWAL_PRICE_CENTS: z.coerce.number().int().nonnegative().default(0),
  /** How many days before its expiry a domain is renewed, or its owner notified. */
  DOMAIN_RENEW_DAYS: z.coerce.number().int().positive().default(30),
  /** How many days the reports of other mail servers on a domain are kept. Choice 76. */
  MAIL_REPORT_RETENTION_DAYS: z.coerce.number().int().positive().default(365),
  /** The most a registrar may charge us for a new name; higher prices end in PRICE_ABOVE_CAP. */
  DOMAIN_COST_CAP_CENTS: z.coerce.number().int().positive().default(1_600),
  /** The same for a renewal, which costs more than the first term; higher prices block for an operator. */
  DOMAIN_RENEWAL_COST_CAP_CENTS: z.coerce.number().int().positive().default(4_000),

  /** What registrars may charge us a day for one user, whatever the user pays for it. Choice 69. */
  DOMAIN_SPENDING_CAP_CENTS: z.coerce.number().int().positive().default(500_000),
  /** Registrations and renewals a day and user that cost the user nothing; unset = any number. */
  MAX_FREE_DOMAIN_ORDERS: z.coerce.number().int().nonnegative().optional(),

  PROVIDER_TIMEOUT_SECONDS: z.coerce.number().positive().default(30),
  /** How long a provider may take to show the effect of a request. */
  PROVIDER_LAG_SECONDS: z.coerce.number().positive().default(30),
  /** The same for a renewal at a registrar that honours no idempotency key for it, and for a purchase at one without a list of orders. */
  RENEWAL_LAG_SECONDS: z.coerce.number().positive().max(3_000).default(1_200),
  HEARTBEAT_TIMEOUT_SECONDS: seconds.default(10),
  /** After how many seconds a blocked step is undone and refunded. */
  BLOCKED_STEP_TIMEOUT_SECONDS: seconds.default(86_400),
  /** Multiplies the waits between attempts and polls; the world in a box runs at 0.1. */
  RETRY_PACE: z.coerce.number().positive().max(1).default(1),

  /** Who is asked what an answer means where the rules are not sure; unset = nobody. docs/interest.md */
  INTEREST_MODEL: oneOf(vendors.answerJudges).optional(),
  /** Calls a day (UTC) and account. Choice 119. */
  INTEREST_MODEL_DAILY_CALLS: z.coerce.number().int().positive().default(200),

  /** Resolvers that the product uses, `ip` or `ip:port`; empty = the system's. */
  DNS_SERVERS: list,
  /** Blocklists that are asked about our servers' addresses; empty = none. Each list has terms of its own (.env.example). */
  DNSBL_ZONES: list,
  /** `socks5://host:port` for SSH, SMTP, IMAP and the crawler; unset = direct. */
  OUTBOUND_PROXY: z.url().optional(),
  /** A page about our crawler, named in its user agent; unset = PUBLIC_URL. */
  CRAWLER_CONTACT_URL: z.url().optional(),
  /** Whether 198.18.0.0/15 counts as public: the world in a box uses it. */
  CRAWLER_ALLOW_BENCHMARK_RANGE: z.stringbool().default(false),
  /** Where mail hosts get their certificates (ACME directory). */
  ACME_DIRECTORY_URL: z.url().default('https://acme-v02.api.letsencrypt.org/directory'),
  /** Where clients' names for links get theirs; unset = at ACME_DIRECTORY_URL, too. */
  LINKS_ACME_DIRECTORY_URL: z.url().optional(),
  /** The authority's name in CAA records; unset = by the directory, Let's Encrypt's is known. */
  ACME_CAA_ISSUER: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)+$/, 'must be a host name')
    .optional(),
  /** The folder of backups of mail hosts, the same for all workers; unset = none are made or read. */
  HOST_BACKUP_DIR: z.string().min(1).optional(),
  /** `smtp://user:password@host:587`, the relay of mail hosts; unset = directly to the exchangers. */
  SMARTHOST_URL: readable(parseSmarthost, SMARTHOST_FORM).optional(),
  /** The name of the relay's SPF policy, such as `spf.relay.example.com`: each domain's policy includes it. */
  SMARTHOST_SPF_INCLUDE: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)+$/, 'must be a host name')
    .optional(),
  /**
   * `smtps://user:password@host:465`, the relay of the service's messages to accounts; unset = none are sent.
   */
  NOTIFY_SMTP_URL: readable(parseRelay, RELAY_FORM).optional(),
  /** The address that such messages come from. */
  NOTIFY_FROM: readable(readEmailAddress, 'must be an e-mail address').optional(),
};
