/** Dependencies of the product's functions; each takes a `Pick` of what it uses. */
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createCipher } from './encryption/cipher.ts';
import { createStreamCipher } from './encryption/stream-cipher.ts';
import type { Config } from './config.ts';
import { openDatabase, type DatabaseOptions } from './db/database.ts';
import { createHttpStores } from './db/accounts/http-stores.ts';
import type { Operation } from './db/operations/operations.ts';
import { createProbePlaces } from './db/email-validation/probe-places.ts';
import type { Schedule } from './db/schedules/schedules.ts';
import type { Database } from './db/tables.ts';
import type { Cipher } from './domain/cipher.ts';
import { linksAuthorityOf } from './domain/domains/tracking-domains.ts';
import type { EmailChecker } from './domain/email-validation/email-check.ts';
import type { HttpStores } from './domain/accounts/http-stores.ts';
import type { RecipientLinks } from './domain/sending/recipient-links.ts';
import type { Pace } from './domain/operations/operations.ts';
import { parseSmarthost } from './domain/clusters/smarthost.ts';
import type { AdLibrary } from './providers/ad-libraries/port.ts';
import type { AnswerJudge } from './providers/answer-judges/port.ts';
import type { ContactFinder } from './providers/contact-finders/port.ts';
import { createDnsResolver } from './providers/dns/index.ts';
import type { DnsResolver } from './providers/dns/port.ts';
import type { EmailVerifier } from './providers/email-verifiers/port.ts';
import { createHostBackups } from './providers/host-backups/folder.ts';
import type { HostBackups } from './providers/host-backups/port.ts';
import { createMailHost } from './providers/mail-hosts/debian.ts';
import type { MailHost } from './providers/mail-hosts/port.ts';
import { createMailReports } from './providers/mail-reports/index.ts';
import type { MailReports } from './providers/mail-reports/port.ts';
import type { MapsProvider } from './providers/maps/port.ts';
import { createMailTransport } from './providers/mail-transport/index.ts';
import type { MailTransport } from './providers/mail-transport/port.ts';
import type { MailboxOauth } from './providers/mailbox-oauth/port.ts';
import type { Payments } from './providers/payments/port.ts';
import type { Registrar } from './providers/registrars/port.ts';
import { createEach, type ProviderTools, type VendorState } from './providers/vendor.ts';
import type { VpsProvider } from './providers/vps/port.ts';
import { createCertificateAuthority } from './providers/certificates/acme.ts';
import type { CertificateAuthority } from './providers/certificates/port.ts';
import { createWebhookEndpoints } from './providers/webhook-endpoints/index.ts';
import type { WebhookEndpoints } from './providers/webhook-endpoints/port.ts';
import { createWebsites } from './providers/websites/index.ts';
import type { Websites } from './providers/websites/port.ts';
import { createAccessTokens } from './services/mailboxes/access-tokens.ts';
import { createEmailChecker } from './services/email-validation/email-checker.ts';
import type { OperationEnds } from './telemetry/operation-ends.ts';
import { createVendorCalls, type VendorCalls } from './telemetry/vendor-calls.ts';
import { connectionOptions, TEMPORAL_CHANNEL } from './temporal/connection.ts';
import { createDataConverter } from './temporal/payload-codec.ts';
import { createRecipientLinks } from './encryption/recipient-links.ts';
import { dropSchedule, keepSchedule, nextRunsOf } from './temporal/client-schedules.ts';
import { startOperation } from './temporal/start-operation.ts';
import { carryTrace } from './temporal/trace-calls.ts';

export interface Context {
  config: Config;
  db: Kysely<Database>;
  temporal: Client;
  logger: Logger;
  clock: { now(): Date };
  /** Secrets at rest: AES-256-GCM, bound to the row they belong to. */
  cipher: Cipher;
  /** Makes certificates of tracking domains. */
  certificateAuthority: CertificateAuthority;
  /** Unsubscribe and tracking links of messages. */
  recipientLinks: RecipientLinks;
  /** Rate counters and idempotency rows; made by `createHttpStores`. */
  httpStores: HttpStores;
  /** Configured vendors by name; one that is not configured is absent. */
  registrars: Readonly<Record<string, Registrar>>;
  vps: Readonly<Record<string, VpsProvider>>;
  payments: Payments | undefined;
  /** In the order in which they are asked. */
  adLibraries: Readonly<Record<string, AdLibrary>>;
  contactFinders: Readonly<Record<string, ContactFinder>>;
  maps: Readonly<Record<string, MapsProvider>>;
  emailVerifiers: Readonly<Record<string, EmailVerifier>>;
  /** `INTEREST_MODEL` names the one that is asked. */
  answerJudges: Readonly<Record<string, AnswerJudge>>;
  /** Vendors whose mailboxes can be connected by OAuth. */
  mailboxOauth: Readonly<Record<string, MailboxOauth>>;
  websites: Websites;
  webhookEndpoints: WebhookEndpoints;
  emailChecker: EmailChecker;
  mailHost: MailHost;
  /** Where backups of mail hosts are kept, sealed. */
  hostBackups: HostBackups;
  mailTransport: MailTransport;
  mailReports: MailReports;
  dns: DnsResolver;
  /** Starts the workflow of a row, at most once; false when Temporal is down (it is started later). */
  startOperation: (
    operation: Operation,
    again?: { undoOnly?: boolean; restart?: boolean },
  ) => Promise<boolean>;
  /** Counts operations as they end. A worker's alone: other processes end none, and need no metrics library for it. */
  operationEnds?: OperationEnds;
  /** Brings the Schedule of a client's row up to it; what fails is told later. */
  keepSchedule: (id: number) => ReturnType<typeof keepSchedule>;
  dropSchedule: (row: Pick<Schedule, 'id' | 'run_key'>) => Promise<void>;
  /** Null where Temporal cannot tell. */
  nextRunsOf: (row: Schedule) => Promise<Date[] | null>;
}

/**
 * Builds the context of a process; nothing is connected yet, so it succeeds even if a dependency is
 * down. `pool`: how long a connection to Postgres is waited for.
 */
export function createContext(
  config: Config,
  logger: Logger,
  pool: Pick<DatabaseOptions, 'connectionTimeoutMs'> = {},
): Context & { vendorCalls: VendorCalls; close(): Promise<void> } {
  const db = openDatabase(config.DATABASE_URL, {
    ...pool,
    poolSize: config.DATABASE_POOL_SIZE,
    mode: config.OUTREACH_MODE,
    onConnectionLost: (err) => logger.warn({ err }, 'a database connection was lost'),
  });
  const connection = Connection.lazy({
    ...connectionOptions(config),
    channelArgs: TEMPORAL_CHANNEL,
  });
  const temporal = new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: createDataConverter(config),
    interceptors: { workflow: [carryTrace] },
  });
  const timeoutMs = config.PROVIDER_TIMEOUT_SECONDS * 1_000;
  const { outside, vendors, OUTREACH_MODE: mode } = config;
  const directoryUrl = linksAuthorityOf(config);
  const dns = createDnsResolver({ servers: config.DNS_SERVERS, timeoutMs });
  // In test mode every host that is dialled is one of the sandbox.
  const reach = mode === 'test' ? 'benchmark' : undefined;
  const ca = mode === 'test' ? readFileSync(config.SANDBOX_CA_FILE!, 'utf8') : undefined;
  const tools: ProviderTools = {
    timeoutMs,
    outboundProxy: config.OUTBOUND_PROXY,
    dns,
    probePlaces: createProbePlaces(db),
    allowBenchmarkRange: config.CRAWLER_ALLOW_BENCHMARK_RANGE,
    reach,
  };
  const httpStores = createHttpStores({
    db,
    url: config.DATABASE_URL,
    limits: { perMinute: config.RATE_LIMIT_PER_MINUTE, perHour: config.RATE_LIMIT_PER_HOUR },
  });
  const clock = { now: () => new Date() };
  const vendorCalls = createVendorCalls();
  const createAll = <Port extends object>(states: Readonly<Record<string, VendorState<Port>>>) =>
    createEach(states, (name, create) => vendorCalls.watch(name, create(tools)));
  const emailVerifiers = createAll<EmailVerifier>(vendors.emailVerifiers);
  const mailboxOauth = createAll<MailboxOauth>(vendors.mailboxOauth);
  const cipher = createCipher(config.ENCRYPTION_KEYS);
  return {
    config,
    db,
    temporal,
    logger,
    clock,
    cipher,
    vendorCalls,
    certificateAuthority: vendorCalls.watch(
      'acme',
      createCertificateAuthority({ directoryUrl, timeoutMs }),
    ),
    recipientLinks: createRecipientLinks({
      publicUrl: config.PUBLIC_URL,
      keys: config.ENCRYPTION_KEYS,
      oldKeys: config.LINK_KEYS,
    }),
    httpStores,
    registrars: createAll(vendors.registrars),
    vps: createAll(vendors.vps),
    payments: createAll(vendors.payments).stripe,
    adLibraries: createAll<AdLibrary>(vendors.adLibraries),
    contactFinders: createAll<ContactFinder>(vendors.contactFinders),
    maps: createAll<MapsProvider>(vendors.mapsProviders),
    emailVerifiers,
    emailChecker: createEmailChecker({ db, dns, emailVerifiers, clock, logger }),
    answerJudges: createAll<AnswerJudge>(vendors.answerJudges),
    mailboxOauth,
    websites: createWebsites({
      dns,
      outboundProxy: config.OUTBOUND_PROXY,
      contactUrl: config.CRAWLER_CONTACT_URL ?? config.PUBLIC_URL,
      allowBenchmarkRange: config.CRAWLER_ALLOW_BENCHMARK_RANGE,
      reach,
      ca,
    }),
    webhookEndpoints: createWebhookEndpoints({
      dns: createDnsResolver({ servers: outside.DNS_SERVERS, timeoutMs }),
      outboundProxy: outside.OUTBOUND_PROXY,
      allowBenchmarkRange: outside.CRAWLER_ALLOW_BENCHMARK_RANGE,
      allowHttp: config.OUTREACH_ENV !== 'production',
    }),
    mailHost: vendorCalls.watch(
      'mail-host',
      createMailHost({
        acmeDirectoryUrl: config.ACME_DIRECTORY_URL,
        smarthost: parseSmarthost(config.SMARTHOST_URL ?? ''),
        tools,
      }),
    ),
    hostBackups: createHostBackups({
      folder: config.HOST_BACKUP_DIR,
      cipher: createStreamCipher(config.ENCRYPTION_KEYS),
    }),
    mailTransport: createMailTransport({
      dns,
      ...tools,
      ca,
      guard: { allowBenchmarkRange: config.CRAWLER_ALLOW_BENCHMARK_RANGE, reach },
      accessTokens: createAccessTokens({ db, cipher, clock, mailboxOauth, timeoutMs }),
    }),
    mailReports: createMailReports(),
    dns,
    startOperation: (operation, again) =>
      startOperation({ temporal, db, logger, config }, operation, again),
    keepSchedule: (id) => keepSchedule({ temporal, db, logger, pace: paceOf(config) }, id),
    dropSchedule: (row) => dropSchedule({ temporal }, row),
    nextRunsOf: (row) => nextRunsOf({ temporal }, row),
    close: async () => {
      await Promise.allSettled([db.destroy(), connection.close(), httpStores.close()]);
    },
  };
}

const paceOf = (config: Config): Pace => ({
  retryPace: config.RETRY_PACE,
  heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
  blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
});
