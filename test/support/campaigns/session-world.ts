/** A round of a campaign that a test drives: its own database, clock settings and submission host. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import {
  createMessageBudget,
  MESSAGE_BUDGET_BYTES,
} from '../../../activities/campaigns/message-budget.ts';
import { runSendingSession } from '../../../activities/campaigns/sending-session.ts';
import type { SessionTools } from '../../../activities/campaigns/tools.ts';
import { createCipher } from '../../../src/encryption/cipher.ts';
import type { Config } from '../../../src/config.ts';
import { environmentSchema } from '../../../src/settings/environment.ts';
import { createRecipientLinks } from '../../../src/encryption/recipient-links.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { startSmtpScript, type SmtpScript } from '../mail/smtp-script.ts';

const keys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export interface SessionWorld {
  database: TestDatabase;
  smtp: SmtpScript;
  /** Tools of a new attempt. */
  tools(change?: Partial<SessionTools>, settings?: Partial<Config>): SessionTools;
  /** A whole attempt. */
  run(campaignId: number, settings?: Partial<Config>): ReturnType<typeof runSendingSession>;
  close(): Promise<void>;
}

/** No limit applies, and a day of sending lasts a day, unless a test sets otherwise. */
const OPEN: Partial<Config> = {
  SEND_MIN_GAP_SECONDS: 0,
  SEND_MAILBOX_DAILY_LIMIT: 100_000,
  SEND_MAILBOX_DAILY_MAX: 100_000,
  SEND_MAILBOX_HOURLY_LIMIT: 100_000,
  SEND_DOMAIN_DAILY_LIMIT: 0,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 0,
};

/** `hosts`: domains whose `mail.` host the submission server is. */
export async function startSessionWorld(domains: readonly string[]): Promise<SessionWorld> {
  const database = await createTestDatabase();
  const hosts = domains.map((domain) => `mail.${domain}`);
  // The server always answers, so a busy machine gets more time.
  const smtp = await startSmtpScript({ hosts, timeoutMs: 20_000 });
  const defaults = environmentSchema.parse({
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: keys,
    JWT_SECRET: 'x'.repeat(32),
  });
  const none = () => Promise.resolve([]);
  const tools: SessionWorld['tools'] = (change, settings) => ({
    db: database.db,
    config: { ...defaults, ...OPEN, ...settings } as Config,
    clock: { now: () => new Date() },
    cipher: createCipher(keys),
    recipientLinks: createRecipientLinks({ publicUrl: 'https://outreach.test', keys }),
    mailTransport: smtp.transport,
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
    logger: pino({ level: process.env.SESSION_LOG ?? 'silent' }),
    attempt: randomUUID(),
    signal: new AbortController().signal,
    sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
    messageBudget: createMessageBudget(MESSAGE_BUDGET_BYTES),
    chance: Math.random,
    ...change,
  });
  return {
    database,
    smtp,
    tools,
    run: (campaignId, settings) => runSendingSession(tools({}, settings), campaignId),
    async close() {
      await smtp.close();
      await database.close();
    },
  };
}
