/** Mailboxes on a real Dovecot that the sync reads into a database. */
import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import {
  newMemory,
  visitMailbox,
  type WatchContext,
} from '../../../activities/inbox/watch-mailbox.ts';
import { createCipher } from '../../../src/encryption/cipher.ts';
import { readSyncSnapshot } from '../../../src/db/inbox/inbox-syncs.ts';
import type { Database } from '../../../src/db/tables.ts';
import { createMailTransport } from '../../../src/providers/mail-transport/index.ts';
import type { ImapSession } from '../../../src/providers/mail-transport/port.ts';
import { createRecipientLinks } from '../../../src/encryption/recipient-links.ts';
import { addMailboxes, addSender } from '../campaigns/campaign-world.ts';
import { startDovecot, type Dovecot } from '../mail/dovecot.ts';
import { startSocksListener } from '../tools/socks-listener.ts';
import { trustAuthority } from '../run/trust.ts';

const DOMAIN = 'acme.test';

export interface DovecotMailboxes {
  dovecot: Dovecot;
  context: WatchContext;
  /** That of another worker. */
  newTransport(): WatchContext['mailTransport'];
  /** A user with mailboxes of their own cluster; the addresses are new each time. */
  newMailboxes(count?: number): Promise<SyncedUser>;
  close(): Promise<void>;
}

export interface SyncedUser {
  userId: string;
  clusterId: number;
  mailboxes: { id: number; email: string }[];
  /** The first one's. */
  email: string;
  mailboxId: number;
  /** A mail client of the first mailbox. */
  imap(): Promise<ImapSession>;
  /** One visit of the first mailbox, starting from what the last visit stored. */
  visit(): Promise<void>;
}

export async function startDovecotMailboxes(db: Kysely<Database>): Promise<DovecotMailboxes> {
  const dovecot = await startDovecot(`*.${DOMAIN}`);
  trustAuthority(dovecot.caFile);
  // The product dials 993 at the address of the name; the proxy maps it to the real port.
  const forward = createServer((socket) => {
    const onward = connect(dovecot.port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const socks = await startSocksListener(() => forward);
  const newTransport = () =>
    createMailTransport({
      dns: { resolveA: async () => ['198.18.0.9'] },
      outboundProxy: socks.url,
      // Who answers may do so late on a busy machine.
      timeoutMs: 15_000,
    });
  const context: WatchContext = {
    db,
    clock: { now: () => new Date() },
    cipher: createCipher(`test:${randomBytes(32).toString('base64')}`),
    mailTransport: newTransport(),
    recipientLinks: createRecipientLinks({
      publicUrl: 'https://outreach.test',
      keys: `test:${randomBytes(32).toString('base64')}`,
    }),
    config: {
      INBOX_POLL_SECONDS: 60,
      INBOX_CONNECTIONS: 1_000,
      DAY_SECONDS: 86_400,
    } as WatchContext['config'],
    logger: pino({ level: 'silent' }),
  };
  let clusters = 0;
  return {
    dovecot,
    context,
    newTransport,
    newMailboxes: (count = 1) => newMailboxes(context, `c${(clusters += 1)}.${DOMAIN}`, count),
    async close() {
      await socks.close();
      await dovecot.close();
    },
  };
}

async function newMailboxes(
  context: WatchContext,
  domain: string,
  count: number,
): Promise<SyncedUser> {
  const { db } = context;
  const userId = await addSender(db);
  const ids = await addMailboxes(context, userId, { count, domain });
  // One certificate covers all: `mail-c1.acme.test` has one label before the domain.
  const host = `mail-${domain}`;
  const { cluster_id: clusterId } = await db
    .selectFrom('mailboxes')
    .select('cluster_id')
    .$narrowType<{ cluster_id: number }>()
    .where('id', '=', ids[0]!)
    .executeTakeFirstOrThrow();
  await db.updateTable('servers').set({ host_name: host }).where('user_id', '=', userId).execute();
  const mailboxes = await db
    .selectFrom('mailboxes')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const [{ id: mailboxId, email }] = mailboxes as [{ id: number; email: string }];
  const memory = newMemory();
  return {
    userId,
    clusterId,
    mailboxes,
    email,
    mailboxId,
    imap: () => context.mailTransport.openImap({ host, email, password: 'pass' }),
    async visit() {
      const look = await readSyncSnapshot(db, clusterId);
      const mailbox = look.mailboxes.find(({ id }) => id === mailboxId)!;
      const signal = new AbortController().signal;
      const ownAddresses = new Set(mailboxes.map((each) => each.email));
      await visitMailbox(context, mailbox, { ownAddresses, signal, memory });
    },
  };
}
