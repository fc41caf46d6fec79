/** What the benches of sending share: a Postgres with fsync on, and the tools of a round. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import {
  createMessageBudget,
  MESSAGE_BUDGET_BYTES,
} from '../activities/campaigns/message-budget.ts';
import type { SessionTools } from '../activities/campaigns/tools.ts';
import { createCipher } from '../src/encryption/cipher.ts';
import type { Config } from '../src/config.ts';
import { environmentSchema } from '../src/settings/environment.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Database } from '../src/db/tables.ts';
import type { MailTransport } from '../src/providers/mail-transport/port.ts';
import { createRecipientLinks } from '../src/encryption/recipient-links.ts';
import { withPostgres } from './postgres.ts';

const keys = `bench:${Buffer.alloc(32, 7).toString('base64')}`;

export const cipher = createCipher(keys);

/** No limit applies. */
const OPEN: Partial<Config> = {
  SEND_MIN_GAP_SECONDS: 0,
  SEND_MAILBOX_DAILY_LIMIT: 1_000_000,
  SEND_MAILBOX_DAILY_MAX: 1_000_000,
  SEND_MAILBOX_HOURLY_LIMIT: 1_000_000,
  SEND_DOMAIN_DAILY_LIMIT: 0,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 0,
};

/** Runs `work` with a database of the newest schema, as the application's role. */
export function withDatabase(
  work: (db: Kysely<Database>, ownerUrl: string, postgresPid: number) => Promise<void>,
): Promise<void> {
  return withPostgres(async ({ appUrl, ownerUrl, pid }) => {
    const db = openDatabase(appUrl, { poolSize: 5 });
    try {
      await work(db, ownerUrl, pid);
    } finally {
      await db.destroy();
    }
  });
}

export const benchConfig = (settings: Partial<Config> = {}): Config =>
  ({
    ...environmentSchema.parse({
      DATABASE_URL: 'postgres://bench',
      ENCRYPTION_KEYS: keys,
      JWT_SECRET: 'x'.repeat(32),
    }),
    ...OPEN,
    ...settings,
  }) as Config;

/** The tools of one attempt. */
export function sessionTools(db: Kysely<Database>, mailTransport: MailTransport): SessionTools {
  const none = () => Promise.resolve([]);
  return {
    db,
    cipher,
    mailTransport,
    config: benchConfig(),
    clock: { now: () => new Date() },
    recipientLinks: createRecipientLinks({ publicUrl: 'https://outreach.test', keys }),
    dns: {
      resolveA: none,
      resolveAaaa: none,
      resolveCname: none,
      resolveMx: none,
      resolveNs: none,
      resolveTxt: none,
      resolveCaa: none,
      resolvePtr: none,
    },
    logger: pino({ level: 'warn' }),
    attempt: randomUUID(),
    signal: new AbortController().signal,
    sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
    messageBudget: createMessageBudget(MESSAGE_BUDGET_BYTES),
    chance: Math.random,
  };
}
