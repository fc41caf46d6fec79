/**
 * P13: messages/s of the first sync of a mailbox into Postgres / by mbsync into a Maildir. Both read
 * the same mailbox of one Dovecot over TLS, in turns; ours also goes through a SOCKS proxy, and parses,
 * classifies, sanitizes, threads and counts each message. fsync is on for both.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { openDatabase } from '../src/db/database.ts';
import type { Database } from '../src/db/tables.ts';
import { whyNoDovecot, type Dovecot } from '../test/support/mail/dovecot.ts';
import { startDovecotMailboxes } from '../test/support/inbox/dovecot-mailboxes.ts';
import { rawMessage } from '../test/support/inbox/inbox-message-text.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { withPostgres } from './postgres.ts';
import { machine, median } from './rounds.ts';

const GOAL = 4;
const { rounds: ROUNDS, messages: MESSAGES } = optionsOf<{ rounds: number; messages: number }>(
  bench('p13', 'Messages/s of the first sync of a mailbox / by mbsync into a Maildir.')
    .option('--rounds <n>', 'of each, in turns', count, 5)
    .option('--messages <n>', 'in the mailbox', count, 5_000),
);

const missing =
  whyNoDovecot() ??
  (spawnSync('mbsync', ['--version']).error
    ? 'mbsync is missing: apt-get install isync'
    : undefined);
if (missing !== undefined) {
  console.log(`P13 skipped: ${missing}`);
  process.exit(0);
}

await withPostgres(async ({ appUrl, folder }) => {
  const db = openDatabase(appUrl, { poolSize: 5 });
  await compare(db, folder);
  await db.destroy();
});

async function compare(db: Kysely<Database>, folder: string): Promise<void> {
  const mailboxes = await startDovecotMailboxes(db);
  const seconds = { ours: [] as number[], mbsync: [] as number[] };
  try {
    const user = await mailboxes.newMailboxes();
    mailboxes.dovecot.deliver(user.email, messagesTo(user.email));
    const ways = {
      async ours() {
        await forget(db);
        return timed(() => user.visit());
      },
      mbsync: () => mbsync(mailboxes.dovecot, user.email, folder),
    };
    for (let round = -1; round < ROUNDS; round += 1) {
      const names = (['ours', 'mbsync'] as const).toSorted(() => (round % 2 === 0 ? 1 : -1));
      for (const name of names) {
        const took = await ways[name]();
        if (round >= 0) seconds[name].push(took);
        if (name === 'ours') await assertWhole(db);
      }
    }
  } finally {
    await mailboxes.close();
  }
  await report(seconds);
}

async function assertWhole(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from messages`.execute(
    db,
  );
  if (rows[0]!.n !== MESSAGES) throw new Error(`${rows[0]!.n} messages were stored`);
}

async function report(seconds: { ours: number[]; mbsync: number[] }): Promise<void> {
  const perSecond = (took: number) => Math.round(MESSAGES / took);
  const ratios = seconds.ours.map((took, round) => seconds.mbsync[round]! / took);
  const [ours, peer] = [median(seconds.ours), median(seconds.mbsync)];
  console.log(`  ours ${perSecond(ours)} messages/s, mbsync ${perSecond(peer)} messages/s`);
  console.log(`  ${await machine()}`);
  const ratio = median(ratios).toFixed(2);
  console.log(`P13 ratio=${ratio} worst=${Math.min(...ratios).toFixed(2)} goal=${GOAL}`);
}

/** Resets the mailbox to never read. */
async function forget(db: Kysely<Database>): Promise<void> {
  for (const table of ['message_places', 'attachments', 'messages', 'threads'] as const) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  await sql`delete from mailbox_folders`.execute(db);
  await sql`update inbox_counts set messages = 0, unread = 0`.execute(db);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

/** mbsync's own defaults: it syncs each message to the disk (`FSync yes`). */
async function mbsync(dovecot: Dovecot, email: string, folder: string): Promise<number> {
  const target = mkdtempSync(join(folder, 'mbsync-'));
  mkdirSync(join(target, 'mail'));
  const rc = join(target, 'rc');
  writeFileSync(
    rc,
    `IMAPAccount a\nTunnel "openssl s_client -quiet -connect 127.0.0.1:${dovecot.port} 2>/dev/null"\n` +
      `User ${email}\nPass ${dovecot.password}\nAuthMechs LOGIN\nSSLType None\n\nIMAPStore far\nAccount a\n\n` +
      `MaildirStore near\nPath ${target}/mail/\nInbox ${target}/mail/INBOX\n\n` +
      `Channel c\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *\n`,
  );
  const took = await timed(async () => {
    execFileSync('mbsync', ['-c', rc, 'c'], { stdio: ['ignore', 'ignore', 'pipe'] });
  });
  const inbox = join(target, 'mail', 'INBOX');
  const got = ['new', 'cur'].flatMap((part) => readdirSync(join(inbox, part))).length;
  if (got !== MESSAGES) throw new Error(`mbsync has ${got} messages`);
  rmSync(target, { recursive: true, force: true });
  return took;
}

/** Messages like those of real mailboxes: texts, half of them with HTML, every tenth with a file. */
function messagesTo(email: string): string[] {
  const line = 'We would like to talk about the offer of last week, and about its price.';
  return Array.from({ length: MESSAGES }, (_, n) => {
    const text = `${line}\n`.repeat(5 + (n % 30));
    const html = `<html><body>${`<p>${line}</p>\n`.repeat(5 + (n % 30))}</body></html>`;
    const file = Buffer.alloc(9_000, `${n}`)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\n');
    const parts = [
      ['text/plain; charset=utf-8', text],
      ...(n % 2 === 0 ? [['text/html; charset=utf-8', html]] : []),
      ...(n % 10 === 0
        ? [['application/pdf; name=offer.pdf\nContent-Transfer-Encoding: base64', file]]
        : []),
    ];
    return rawMessage({
      from: `Person ${n % 977} <p${n % 977}@client${n % 211}.test>`,
      to: email,
      subject: `About our offer ${n}`,
      id: `m${n}@client.test`,
      ...(n % 3 === 0 && n > 0 && { headers: { 'In-Reply-To': `<m${n - 1}@client.test>` } }),
      ...(n % 2 === 0 || n % 10 === 0
        ? {
            headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
            text: `${parts.map(([type, body]) => `--b\nContent-Type: ${type}\n\n${body}`).join('\n')}\n--b--`,
          }
        : { text }),
    });
  });
}
