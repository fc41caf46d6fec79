/** The only reader of the environment: one zod object in, one frozen `Config` out. */
import { z } from 'zod';
import { developmentSettings } from './development-settings.ts';
import { readEmailAddress } from './domain/email-validation/email-address.ts';
import { parseSeedMailbox, SEED_MAILBOX_FORM } from './domain/warmup/seed-mailboxes.ts';
import {
  parseRelay,
  parseSmarthost,
  RELAY_FORM,
  SMARTHOST_FORM,
} from './domain/clusters/smarthost.ts';
import { vendors, type VendorStates } from './providers/vendors.ts';

const seconds = z.coerce.number().int().positive();
const port = z.coerce.number().int().min(0).max(65_535);
const list = z
  .string()
  .optional()
  .transform((text) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

const readable = (read: (text: string) => unknown, form: string) =>
  z.string().refine((text) => read(text) !== undefined, form);

/** Names of vendors that the code knows; `all` by name. */
const someOf = (all: object) =>
  list.refine((names) => names.every((name) => Object.hasOwn(all, name)), knownOf(all));
const oneOf = (all: object) => z.string().refine((name) => Object.hasOwn(all, name), knownOf(all));
const knownOf = (all: object) => `known are ${Object.keys(all).join(', ')}`;

/** One entry per variable; `.env.example` is compared with this and with the vendors' settings. */
export const environmentSchema = z.object({
  OUTREACH_ENV: z.enum(['production', 'development']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),

  API_HOST: z.string().default('0.0.0.0'),
  API_PORT: port.default(3000),
  API_METRICS_PORT: port.default(9464),
  WORKER_METRICS_PORT: port.default(9465),
  /** Where clients reach the API; used in links of messages and in Stripe's return addresses. */
  PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  /** `false`, a hop count, or a list of proxies' addresses (Express `trust proxy`). */
  TRUST_PROXY: z.string().default('false'),

  /** The application's role: may neither update nor delete ledger entries. */
  DATABASE_URL: z.string().min(1),
  /** The owner's role, used by `migrate` only. */
  DATABASE_OWNER_URL: z.string().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().positive().default(10),

  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS: z.stringbool().default(false),

  JWT_SECRET: z.string().min(32).optional(),
  JWT_JWKS_URL: z.url().optional(),
  JWT_PUBLIC_KEY: z.string().optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),

  /** `id:base64(32 bytes)`, comma separated; the first encrypts, all decrypt. */
  ENCRYPTION_KEYS: z.string().min(1),
  /** Whoever has it reads every payload of Temporal; without it the codec endpoint is off. */
  CODEC_TOKEN: z.string().min(32).optional(),
  CODEC_PORT: port.default(9466),
  /** Origins of Temporal's UI, from which browsers may ask the codec endpoint. */
  CODEC_CORS_ORIGINS: list,

  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().positive().default(100),
  RATE_LIMIT_PER_HOUR: z.coerce.number().int().positive().default(1_000),

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

  // Rules of sending (defaults: what a serious sender keeps). Durations scale with DAY_SECONDS.
  /** Cold messages a day from one mailbox. */
  SEND_MAILBOX_DAILY_LIMIT: z.coerce.number().int().positive().default(30),
  /** Messages a day from one mailbox, warm-up counted in. */
  SEND_MAILBOX_DAILY_MAX: z.coerce.number().int().positive().default(50),
  SEND_MAILBOX_HOURLY_LIMIT: z.coerce.number().int().positive().default(8),
  /** Between two messages from one mailbox. */
  SEND_MIN_GAP_SECONDS: z.coerce.number().int().nonnegative().default(600),
  /** Share of the gap by which it varies, either way. */
  SEND_GAP_JITTER: z.coerce.number().min(0).max(0.9).default(0.2),
  /** Cold messages a day from all mailboxes of one of our domains; 0 = no limit. */
  SEND_DOMAIN_DAILY_LIMIT: z.coerce.number().int().nonnegative().default(150),
  /** Messages a day of one campaign to one recipient domain, free-mail excepted; 0 = no limit. */
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: z.coerce.number().int().nonnegative().default(2),
  /** Shares over SEND_HEALTH_DAYS at which a campaign is warned about, or paused. */
  SEND_BOUNCE_WARN_RATE: z.coerce.number().min(0).max(1).default(0.02),
  SEND_BOUNCE_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.05),
  SEND_COMPLAINT_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.001),
  SEND_HEALTH_DAYS: z.coerce.number().int().positive().default(7),
  /** With fewer messages, or complaints, the shares say nothing. */
  SEND_HEALTH_MIN_SENDS: z.coerce.number().int().positive().default(50),
  SEND_HEALTH_MIN_COMPLAINTS: z.coerce.number().int().positive().default(2),
  /**
   * Share of messages that are refused as spam or by a policy, over SEND_HEALTH_DAYS, at which the
   * mailbox, the sending domain, the server, or the recipients' provider is paused for so many hours.
   */
  SEND_REJECTION_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.05),
  SEND_REJECTION_PAUSE_HOURS: z.coerce.number().positive().default(24),
  /** With fewer messages, or refusals, the share says nothing. */
  SEND_REJECTION_MIN_SENDS: z.coerce.number().int().positive().default(20),
  SEND_REJECTION_MIN: z.coerce.number().int().positive().default(3),
  /** Minutes after which a message that was put off is tried again, one by one; then it is given up. */
  SEND_RETRY_MINUTES: z
    .string()
    .default('1,5,15,60')
    .transform((text) => text.split(',').map(Number))
    .refine((minutes) => minutes.every((each) => each > 0), 'minutes above 0, comma separated'),
  /** Addresses outside that take part in warm-up, comma separated. */
  WARMUP_SEED_ADDRESSES: list,
  /** `imaps://user%40example.com:password@host`, comma separated: seeds in which warm-up looks itself. */
  WARMUP_SEED_MAILBOXES: list
    .refine((texts) => texts.every((text) => parseSeedMailbox(text) !== undefined), {
      error: SEED_MAILBOX_FORM,
    })
    .transform((texts) => texts.map((text) => parseSeedMailbox(text)!)),
  /** Days of warm-up before cold mail. */
  WARMUP_DAYS: z.coerce.number().int().positive().default(14),
  /** Cold messages a day on the first day after them, and more on each healthy day after. */
  WARMUP_COLD_START: z.coerce.number().int().positive().default(5),
  WARMUP_COLD_INCREASE: z.coerce.number().int().nonnegative().default(5),
  /** Where a mailbox cannot be watched (IDLE), it is looked at so often. */
  INBOX_POLL_SECONDS: seconds.default(60),
  /** For so long an endpoint of a client is tried again. */
  WEBHOOK_RETRY_HOURS: z.coerce.number().int().positive().default(72),
  /** An endpoint that has taken nothing for so many days is disabled. */
  WEBHOOK_DISABLE_DAYS: z.coerce.number().int().positive().default(5),
  /** So many days events and their deliveries are kept, whatever became of them. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().positive().default(30),

  /** How long a day of sending lasts; a development setting. */
  DAY_SECONDS: seconds.default(86_400),
});

export type Settings = Readonly<z.infer<typeof environmentSchema>>;

export interface Config extends Settings {
  vendors: VendorStates;
}

/**
 * Reads the environment. Throws one Error that lists every problem by variable name;
 * values are never repeated, they may be secrets.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const present = withoutEmpty(environment);
  const parsed = environmentSchema.safeParse(present);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const states: Record<string, Record<string, unknown>> = {};
  for (const [portName, portVendors] of Object.entries(vendors)) {
    const perVendor: Record<string, unknown> = {};
    for (const [name, vendor] of Object.entries(portVendors)) {
      const state = vendor.configure(present);
      if (state.state === 'incomplete') problems.push(...state.problems);
      perVendor[name] = state;
    }
    states[portName] = perVendor;
  }
  if (parsed.success && parsed.data.OUTREACH_ENV === 'production') {
    problems.push(...developmentSettings(parsed.data, present));
  }
  if (parsed.success && !parsed.data.NOTIFY_SMTP_URL !== !parsed.data.NOTIFY_FROM) {
    problems.push('NOTIFY_FROM: it is needed with NOTIFY_SMTP_URL, and only with it');
  }
  if (parsed.success && !hasJwtKey(parsed.data)) {
    problems.push('JWT_SECRET: one of JWT_SECRET, JWT_JWKS_URL, JWT_PUBLIC_KEY is needed');
  }
  if (problems.length > 0 || !parsed.success) {
    // A vendor behind two ports has the same variables twice.
    const each = [...new Set(problems)];
    throw new Error(`The configuration is not usable:\n- ${each.join('\n- ')}`);
  }
  return Object.freeze({ ...parsed.data, vendors: states as unknown as VendorStates });
}

/** What `outreach migrate` needs; throws an Error that names what is missing. */
export const readMigrationSettings = (environment: NodeJS.ProcessEnv = process.env) =>
  readPart(
    z.object({
      DATABASE_OWNER_URL: z.string({ error: 'is needed' }).min(1),
      DATABASE_URL: z.string({ error: 'is needed' }).min(1),
    }),
    environment,
  );

/** What `outreach token` signs with. */
export const readJwtSettings = (environment: NodeJS.ProcessEnv = process.env) =>
  readPart(
    environmentSchema.pick({ JWT_SECRET: true, JWT_ISSUER: true, JWT_AUDIENCE: true }),
    environment,
  );

/** What commands need that look at a running installation; `otherwise` is asked without DATABASE_URL. */
export const readOperatorSettings = (
  environment: NodeJS.ProcessEnv,
  otherwise: () => NodeJS.ProcessEnv,
) =>
  readPart(
    environmentSchema
      .pick({
        DATABASE_URL: true,
        TEMPORAL_ADDRESS: true,
        TEMPORAL_NAMESPACE: true,
        TEMPORAL_API_KEY: true,
        TEMPORAL_TLS: true,
        ENCRYPTION_KEYS: true,
      })
      .partial({ ENCRYPTION_KEYS: true }),
    environment['DATABASE_URL'] ? environment : { ...environment, ...otherwise() },
  );

/** The environment of this process, for a command that hands parts of it on. */
export const commandEnvironment = (): NodeJS.ProcessEnv => process.env;

function readPart<S extends z.ZodObject>(schema: S, environment: NodeJS.ProcessEnv): z.infer<S> {
  const parsed = schema.safeParse(withoutEmpty(environment));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not usable:\n- ${problems.join('\n- ')}`);
}

/** A variable set to nothing counts as unset. */
const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

const hasJwtKey = (s: Settings) => Boolean(s.JWT_SECRET ?? s.JWT_JWKS_URL ?? s.JWT_PUBLIC_KEY);
