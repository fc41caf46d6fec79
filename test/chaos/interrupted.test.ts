/** Drills that are interrupted: they report what they have found, and leave no process behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { ownerRole } from '../../src/dev/postgres/embedded-postgres.ts';
import { isAlive } from '../../src/dev/processes/process-identity.ts';

interface Drill {
  file: string;
  args: string[];
  database: string;
  /** The drill is working as soon as there are this many rows. */
  rows: [table: string, least: number];
  signal: 'SIGINT' | 'SIGTERM';
  last: RegExp;
}

const drills: Drill[] = [
  {
    file: 'test/chaos/ledger-storm.ts',
    args: ['--clients', '8'],
    database: 'storm',
    rows: ['ledger_transactions', 100],
    signal: 'SIGINT',
    last: /ledger storm: seed 7, \d+ operations .* 0 wallets that do not add up, 0 lost/,
  },
  {
    file: 'test/fuzz/run.ts',
    args: ['--seed', '7'],
    database: 'fuzz',
    rows: ['ledger_transactions', 1],
    signal: 'SIGTERM',
    last: /^\d+ requests \(seed 7\), .*: 0 faults/m,
  },
  {
    file: 'test/simulation/run.ts',
    args: ['--mailboxes', '3'],
    database: 'simulation',
    rows: ['sends', 10],
    signal: 'SIGINT',
    last: /simulate: 0 seeds, 0 violations/,
  },
];

it.each(drills)(
  '$file ends by $signal with its last line, and its Postgres with it',
  async (drill) => {
    const temporary = await mkdtemp(join(tmpdir(), 'outreach-interrupted-'));
    const child = spawn(process.execPath, ['--import', 'tsx', drill.file, ...drill.args], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    try {
      const pid = await atWork(drill, temporary, () => child.exitCode === null);
      child.kill(drill.signal);
      expect(await ended).toEqual([0, null]);
      expect(said).toMatch(drill.last);
      expect(isAlive(pid)).toBe(false);
      expect(await foldersIn(temporary)).toEqual([]);
    } finally {
      child.kill('SIGTERM');
      await ended;
      await rm(temporary, { recursive: true, force: true });
    }
  },
  180_000,
);

/** The process id of the drill's Postgres, once the drill works in it. */
async function atWork(drill: Drill, temporary: string, isRunning: () => boolean): Promise<number> {
  for (;;) {
    if (!isRunning()) throw new Error(`${drill.file} ended by itself`);
    const pid = await look(drill, temporary).catch(() => undefined);
    if (pid !== undefined) return pid;
    await sleep(100);
  }
}

/** The folders of drills; tsx keeps one of its own there. */
const foldersIn = async (temporary: string): Promise<string[]> =>
  (await readdir(temporary)).filter((name) => name.startsWith('outreach-'));

async function look({ database, rows }: Drill, temporary: string): Promise<number | undefined> {
  const [folder = ''] = await foldersIn(temporary);
  const file = join(temporary, folder, 'postgres', 'data', 'postmaster.pid');
  const [pid, , , port] = (await readFile(file, 'utf8')).split('\n');
  const client = new Client({
    connectionString: `postgres://${ownerRole}:${database}@127.0.0.1:${port}/${database}`,
  });
  await client.connect();
  try {
    const [table, least] = rows;
    const counted = await client.query<{ n: string }>(`select count(*) as n from ${table}`);
    return Number(counted.rows[0]!.n) >= least ? Number(pid) : undefined;
  } finally {
    await client.end();
  }
}
