/** A Postgres with inboxes of any size, and API processes over it: what P1, P2 and P5 measure. */
import pg from 'pg';
import { openDatabase } from '../src/db/database.ts';
import { createKey } from '../src/services/accounts/api-keys.ts';
import { withPostgres } from './postgres.ts';
import { postgresCpuMicros } from './rounds.ts';
import { serveApi } from './served-api.ts';

export interface Served {
  /** Requests a second, and microseconds of CPU of the process for each. */
  load(request: { path: string; key: string; count: number; connections: number }): Promise<{
    perSecond: number;
    ownCpu: number;
  }>;
  stop(): void;
}

export interface InboxWorld {
  folder: string;
  appUrl: string;
  /** Writes an account with so many messages; answers its key. */
  addAccount(userId: string, messages: number): Promise<string>;
  /** A statement of the database's owner, such as a table that only a peer needs. */
  asOwner(text: string): Promise<void>;
  /** An API process of `bench/`; `args` come after the database. */
  serve(file: string, ...args: string[]): Promise<Served>;
  postgresCpu(): Promise<number>;
}

/** Runs `work` in a world of its own. */
export function inInboxWorld(work: (world: InboxWorld) => Promise<void>): Promise<void> {
  return withPostgres(async ({ folder, appUrl, ownerUrl, pid }) => {
    const served: Served[] = [];
    try {
      await work({
        folder,
        appUrl,
        addAccount: (userId, messages) => addAccount({ appUrl, ownerUrl }, userId, messages),
        async asOwner(text) {
          const owner = new pg.Client({ connectionString: ownerUrl });
          await owner.connect();
          await owner.query(text);
          await owner.end();
        },
        async serve(file, ...args) {
          const server = await serve(file, [appUrl, ...args]);
          served.push(server);
          return server;
        },
        postgresCpu: () => postgresCpuMicros(pid),
      });
    } finally {
      for (const server of served) server.stop();
    }
  });
}

async function addAccount(
  { appUrl, ownerUrl }: { appUrl: string; ownerUrl: string },
  userId: string,
  messages: number,
): Promise<string> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const run = (text: string) => owner.query(text);
  // This bench does not use the search index; maintaining it row by row would take most of the time.
  await run('drop index if exists messages_search');
  await run(`insert into users (user_id, email) values ('${userId}', '${userId}@example.test')`);
  await run(`
    with domain as (
      insert into domains (user_id, name, provider, status)
      values ('${userId}', '${userId}.test', 'namecom', 'active') returning id
    ), cluster as (
      insert into clusters (user_id, domain_id, name, status, use_existing_vps)
      select '${userId}', id, '${userId}', 'active', false from domain returning id
    ), mailbox as (
      insert into mailboxes (user_id, cluster_id, email, status)
      select '${userId}', id, 'ann@${userId}.test', 'active' from cluster returning id
    )
    insert into threads (user_id, mailbox_id, subject, last_message_at)
    select '${userId}', mailbox.id, 'Thread ' || n, now() - n * interval '5 minutes'
    from mailbox, generate_series(1, ${Math.ceil(messages / 5)}) as n`);
  await run(`
    insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address,
      from_name, to_addresses, subject, snippet, body_text, sent_at, received_at, is_read)
    select user_id, mailbox_id, id, case k when 1 then 'outbound' else 'inbound' end,
      '<' || id || '.' || k || '@bench.test>', 'person' || id % 5000 || '@client.test',
      'Person ' || id % 5000, array['ann@${userId}.test'], subject,
      'Thank you for your message, we will look at it and answer soon.',
      repeat('Thank you for your message, we will look at it. ', 10),
      last_message_at - k * interval '1 minute',
      last_message_at - k * interval '1 minute', id % 3 > 0
    from threads, generate_series(1, 5) as k where user_id = '${userId}'
    limit ${messages}`);
  await run(`insert into inbox_counts (user_id, messages, unread)
    select user_id, count(*), count(*) filter (where not is_read) from messages
    where user_id = '${userId}' group by user_id`);
  await run('vacuum analyze messages');
  await owner.end();
  const db = openDatabase(appUrl, { poolSize: 1 });
  const settings = { name: 'bench', ipWhitelist: [], scopes: [], expiresAt: null };
  const { key } = await createKey({ db, config: { OUTREACH_MODE: 'live' } }, userId, settings);
  await db.destroy();
  return key;
}

async function serve(file: string, args: readonly string[]): Promise<Served> {
  const api = await serveApi(file, args);
  return {
    load({ path, key, ...load }) {
      const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      return api.load({ ...load, next: () => text, status: 200 });
    },
    stop: () => api.stop(),
  };
}
