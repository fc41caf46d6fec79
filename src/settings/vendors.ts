/** Whom we buy from, at what price, how patiently, and how the network is reached. */
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
  /** Asked in this order where the default refuses us and the client named none, before a person is. */
  REGISTRAR_ALTERNATES: someOf(vendors.registrars),
  DEFAULT_VPS: oneOf(vendors.vps).default('hetzner'),
  /** Asked in this order where the default refuses us or has no capacity, before a person is. */
  VPS_ALTERNATES: someOf(vendors.vps),
  DOMAIN_DIRECT_PRICE_CENTS: z.coerce.number().int().nonnegative().default(0),
  /** What one more term costs the user. */
  DOMAIN_RENEWAL_PRICE_CENTS: z.coerce.number().int().nonnegative().default(0),
  /** So many days before its end a domain is renewed, or its owner told. */
  DOMAIN_RENEW_DAYS: z.coerce.number().int().positive().default(30),
  /** What a registrar may charge us at most for a new name; dearer ones end in PRICE_ABOVE_CAP. */
  DOMAIN_COST_CAP_CENTS: z.coerce.number().int().positive().default(1_600),
  /** The same for one more term, which costs more than the first; dearer ones wait for an operator. */
  DOMAIN_RENEWAL_COST_CAP_CENTS: z.coerce.number().int().positive().default(4_000),

  PROVIDER_TIMEOUT_SECONDS: z.coerce.number().positive().default(30),
  /** For so long a provider may not yet show what it has done. */
  PROVIDER_LAG_SECONDS: z.coerce.number().positive().default(30),
  HEARTBEAT_TIMEOUT_SECONDS: seconds.default(10),
  /** After how many seconds a step that waits for a person is undone and refunded. */
  BLOCKED_STEP_TIMEOUT_SECONDS: seconds.default(86_400),
  /** Multiplies the waits between attempts and polls; the world in a box runs at 0.1. */
  RETRY_PACE: z.coerce.number().positive().max(1).default(1),

  /** Resolvers that the product asks, `ip` or `ip:port`; empty = the system's. */
  DNS_SERVERS: list,
  /** `socks5://host:port` for SSH, SMTP, IMAP and the crawler; unset = direct. */
  OUTBOUND_PROXY: z.url().optional(),
  /** A page about our crawler, named in its user agent; unset = PUBLIC_URL. */
  CRAWLER_CONTACT_URL: z.url().optional(),
  /** Whether 198.18.0.0/15 counts as public: the world in a box lives there. */
  CRAWLER_ALLOW_BENCHMARK_RANGE: z.stringbool().default(false),
  /** Where mail hosts get their certificates (ACME directory). */
  ACME_DIRECTORY_URL: z.url().default('https://acme-v02.api.letsencrypt.org/directory'),
  /** `smtp://user:password@host:587`, by which mail hosts send; unset = to the exchangers themselves. */
  SMARTHOST_URL: readable(parseSmarthost, SMARTHOST_FORM).optional(),
  /** `smtps://user:password@host:465`, by which the service writes to accounts; unset = never. */
  NOTIFY_SMTP_URL: readable(parseRelay, RELAY_FORM).optional(),
  /** The address that such messages come from. */
  NOTIFY_FROM: readable(readEmailAddress, 'must be an e-mail address').optional(),
};
