/** What the product's functions may ask for; each takes a `Pick` of what it uses. */
import type { Client } from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Operation } from './db/operations.ts';
import type { Database } from './db/tables.ts';
import type { Cipher } from './domain/cipher.ts';
import type { HttpStores } from './domain/http-stores.ts';
import type { DnsResolver } from './providers/dns/port.ts';
import type { MailHost } from './providers/mail-hosts/port.ts';
import type { MailTransport } from './providers/mail-transport/port.ts';
import type { Payments } from './providers/payments/port.ts';
import type { Registrar } from './providers/registrars/port.ts';
import type { VpsProvider } from './providers/vps/port.ts';

export interface Context {
  config: Config;
  db: Kysely<Database>;
  temporal: Client;
  logger: Logger;
  clock: { now(): Date };
  /** Secrets at rest: AES-256-GCM, bound to the row they belong to. */
  cipher: Cipher;
  /** Rate counters and idempotency rows; made by `createHttpStores`. */
  httpStores: HttpStores;
  /** Configured vendors by name; one that is off is absent. */
  registrars: Readonly<Record<string, Registrar>>;
  vps: Readonly<Record<string, VpsProvider>>;
  payments: Payments | undefined;
  mailHost: MailHost;
  mailTransport: MailTransport;
  dns: DnsResolver;
  /** Starts the workflow of an operation's row, at most once; a Temporal that is down is logged. */
  startOperation(operation: Operation): Promise<void>;
}
