/** `outreach keys rotate` with processes that are killed, and with a Temporal Server that keeps older runs. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addSealedRows, lostValues } from '../support/database/sealed-rows.ts';
import { openShell, shellBlocks } from '../support/sources/runbook.ts';
import { startTemporal } from '../support/workflows/temporal.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [key('k1'), key('k2')];
const both = createCipher(`${second},${first}`);

let database: TestDatabase;
let temporal: TestWorkflowEnvironment;
let environment: Record<string, string>;
beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  await addSealedRows(database.db, createCipher(first), 600);
  environment = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    ENCRYPTION_KEYS: `${second},${first}`,
  };
});
afterAll(async () => {
  await temporal?.teardown();
  await database?.close();
});

async function outreach(...argv: string[]) {
  const lines: string[] = [];
  const say = (text: string) => void lines.push(text);
  const code = await runCommand(['keys', 'rotate', ...argv], { out: say, err: say, environment });
  return { code, text: lines.join('\n') };
}

/**
 * Ends a process as `kill -9` does a moment after it has said that many lines, in the middle of the next statement. From
 * within: on a busy machine another process may come too late.
 */
const killer = (lines: number) => `
  const write = process.stdout.write.bind(process.stdout);
  let said = 0;
  process.stdout.write = (text, ...rest) => {
    said += String(text).split('\\n').length - 1;
    if (said === ${lines}) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2);
    return write(text, ...rest);
  };`;

/** A process of its own, killed as soon as it has said that many lines; resolves with what it said. */
function killedAfter(lines: number): Promise<string[]> {
  const kill = `data:text/javascript,${encodeURIComponent(killer(lines))}`;
  const program = compiledProgram('src/cli/outreach.ts');
  const command = ['--import', kill, ...program, 'keys', 'rotate'];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...environment } });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  return new Promise((resolve) => {
    child.once('close', () => resolve(said.split('\n').filter(Boolean)));
  });
}

const atRest = async () => JSON.parse((await outreach('--dry-run', '--json')).text).old[0];
const start = (workflowId: string) =>
  temporal.client.workflow.start('nothing', { workflowId, taskQueue: 'nobody' });

describe('outreach keys rotate', () => {
  it('takes the keys of a running world, by its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-keys-'));
    const file = join(folder, 'world.json');
    const { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, ...own } = environment;
    const temporalNamespace = 'default';
    await writeFile(
      file,
      JSON.stringify({ databaseUrl, temporalAddress, temporalNamespace, environment: own }),
    );
    const lines: string[] = [];
    const say = (text: string) => void lines.push(text);
    const argv = ['keys', 'rotate', '--dry-run', '--json', '--world', file];
    const code = await runCommand(argv, { out: say, err: say, environment: {} });
    await rm(folder, { recursive: true });
    expect(lines.join('\n')).toContain('"first"');
    expect(code).toBe(0);
  });

  it('loses nothing to kill -9, goes on where it was, and knows when the old key may go', async () => {
    const before = await atRest();
    expect(before).toMatchObject({ keyId: 'k1', isConfigured: true, mayGo: false });
    await start('older');
    for (const lines of [1, 9, 22]) {
      const said = await killedAfter(lines);
      expect(said.at(-1)).toMatch(/^\w+\.\w+: \d+ encrypted anew$/);
      expect(await lostValues(database.db, both)).toEqual([]);
    }
    expect((await atRest()).atRest).toBeLessThan(before.atRest);
    expect((await atRest()).atRest).toBeGreaterThan(0);

    const { code, text } = await outreach();
    expect(text).toContain('k1: nothing at rest needs it, but 1 runs that Temporal keeps may');
    expect(text).toContain('LINK_KEYS');
    expect(code).toBe(0);
    expect(await lostValues(database.db, createCipher(second))).toEqual([]);
    expect(await atRest()).toMatchObject({ atRest: 0, mayGo: false });
  }, 240_000);

  it('says that the old key may go once Temporal keeps no run from before', async () => {
    // As after the retention of the namespace.
    await sql`update encryption_keys set first_at = now() - interval '1 day'`.execute(database.db);
    await start('younger');
    expect(await atRest()).toMatchObject({ keyId: 'k1', atRest: 0, mayGo: true });
    expect((await outreach('--dry-run')).text).toContain('k1: may go');
  });

  it('ends with 5 and names the key where values cannot be opened', async () => {
    const sealed = createCipher(key('lost')).seal('x', 'webhook:1:secret');
    await sql`update webhooks set secret = ${sealed}
      where id = (select min(id) from webhooks)`.execute(database.db);
    const { code, text } = await outreach();
    expect([code, text]).toEqual([5, expect.stringContaining('lost: 1 values at rest need it')]);
    await sql`delete from webhooks where id = (select min(id) from webhooks)`.execute(database.db);
  });

  it('does what the runbook says', async () => {
    const runbook = await readFile('docs/runbook.md', 'utf8');
    const blocks = shellBlocks(runbook).filter(({ command }) => command.includes('outreach keys'));
    expect(blocks.length).toBeGreaterThan(0);
    const shell = await openShell(environment, []);
    try {
      for (const { command } of blocks) {
        await expect(shell.run(command)).resolves.toContain('First key: k2');
      }
    } finally {
      await shell.close();
    }
  });
});
