/**
 * listmonk (https://github.com/knadh/listmonk, Go) sending the same messages, over as many connections.
 * It marks a batch of 1,000 as sent before it sends them, and its connection to the sink is
 * unencrypted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/dev/ports.ts';

export interface Listmonk {
  /** Starts the campaign again; listmonk polls for campaigns every five seconds. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ListmonkOptions {
  /** A copy of the module's source with the built program `listmonk` in it. */
  folder: string;
  /** An empty database, as its owner. */
  databaseUrl: string;
  smtpPort: number;
  connections: number;
  messages: number;
  body: string;
}

/** Creates its tables, adds subscribers and serves. */
export async function startListmonk(options: ListmonkOptions): Promise<Listmonk> {
  const { folder, databaseUrl } = options;
  const config = await writeConfig(folder, databaseUrl);
  // Its web pages, which the module does not contain, must exist, even if empty.
  mkdirSync(join(folder, 'frontend/dist/frontend'), { recursive: true });
  for (const page of ['favicon.png', 'frontend/index.html']) {
    copyFileSync('/dev/null', join(folder, 'frontend/dist', page));
  }
  const run = (...flags: string[]) =>
    spawn(join(folder, 'listmonk'), ['--config', config, ...flags], {
      cwd: folder,
      stdio: 'ignore',
    });
  const [code] = await once(run('--install', '--yes'), 'exit');
  if (code !== 0) throw new Error(`listmonk --install ended with ${code}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await fill(client, options);
  const server = run();
  await sleep(2_000);
  if (server.exitCode !== null) throw new Error(`listmonk ended with ${server.exitCode}`);
  return {
    async start() {
      await client.query(
        `update campaigns set status = 'running', last_subscriber_id = 0, sent = 0`,
      );
    },
    async close() {
      server.kill();
      await once(server, 'exit');
      await client.end();
    },
  };
}

async function writeConfig(folder: string, databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const path = join(folder, 'bench.toml');
  const lines = [
    '[app]',
    `address = "127.0.0.1:${await freePort()}"`,
    '[db]',
    `host = "${hostname}"`,
    `port = ${port}`,
    `user = "${username}"`,
    `password = "${password}"`,
    `database = "${pathname.slice(1)}"`,
    'ssl_mode = "disable"',
    'max_open = 10',
    'max_idle = 10',
  ];
  writeFileSync(path, lines.join('\n'));
  return path;
}

async function fill(client: pg.Client, options: ListmonkOptions): Promise<void> {
  const smtp = {
    enabled: true,
    host: '127.0.0.1',
    port: options.smtpPort,
    auth_protocol: 'none',
    max_conns: options.connections,
    idle_timeout: '60s',
    wait_timeout: '30s',
    max_msg_retries: 2,
    tls_enabled: false,
    email_headers: {},
  };
  const settings = {
    smtp: [smtp],
    'app.concurrency': options.connections,
    // Messages per second and worker: no limit.
    'app.message_rate': 100_000,
    'app.batch_size': 1_000,
    'app.check_updates': false,
  };
  for (const [key, value] of Object.entries(settings)) {
    await client.query('update settings set value = $2 where key = $1', [
      key,
      JSON.stringify(value),
    ]);
  }
  await client.query('truncate subscribers cascade');
  await client.query(
    `insert into subscribers (uuid, email, name, attribs)
     select gen_random_uuid(), 'p' || n || '@client-' || n || '.test', 'P' || n, '{"company": "Acme"}'
     from generate_series(1, $1) as n`,
    [options.messages],
  );
  await client.query(
    `insert into subscriber_lists (subscriber_id, list_id) select id, 1 from subscribers`,
  );
  await client.query(
    `update campaigns set body = $1, content_type = 'html', from_email = 'Ann <ann@bench.test>',
       subject = 'Hello {{ .Subscriber.Name }}'`,
    [options.body],
  );
  await client.query('analyze');
}
