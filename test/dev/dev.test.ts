/** `npm run dev` as a person uses it: up, a source changes, the product starts anew, down. */
import { spawnSync } from 'node:child_process';
import { readFile, utimes } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  makeStateDir,
  removeStateDir,
  startWorld,
  type RunningWorld,
} from '../support/drills/world.ts';

let stateDir: string;
let running: RunningWorld;

beforeAll(async () => {
  stateDir = await makeStateDir();
  running = await startWorld(stateDir, ['--inspect'], 300_000, ['dev']);
}, 320_000);
afterAll(async () => {
  await running?.stop();
  await removeStateDir(stateDir);
});

const said = () => readFile(`${stateDir}.log`, 'utf8');
const pids = async () => (await running.read()).pids;
/** As saving does, without another content: other tests read the sources. */
const save = (path: string) => utimes(path, new Date(), new Date());

it('--help tells its options', () => {
  const command = ['src/dev/setup.mjs', 'dev', '--help'];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('--inspect')]);
  expect(stdout).toContain('npm run dev -- --ports auto');
});

it('prints the addresses and an API key that works', async () => {
  const { api, apiKey } = await running.read();
  await vi.waitFor(async () => expect(await said()).toContain(`API key        ${apiKey}`), 30_000);
  expect(await said()).toContain(`${api}/docs`);
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await fetch(`${api}/wallet`, { headers })).status).toBe(200);
});

it('lets debuggers in where it says', async () => {
  const [, api, worker] = /Debuggers {6}API (\S+), worker (\S+)/.exec(await said())!;
  for (const address of [api, worker]) {
    const targets = await (await fetch(`http://${address}/json/list`)).json();
    expect(targets).toEqual([expect.objectContaining({ type: 'node' })]);
  }
});

it('restarts the worker alone when an activity is saved', { timeout: 180_000 }, async () => {
  const before = await pids();
  await save('activities/index.ts');
  await vi.waitFor(async () => expect(await said()).toMatch(/worker answers again/), {
    timeout: 150_000,
    interval: 200,
  });
  const after = await pids();
  expect(await said()).toContain('activities/index.ts changed: restarting worker\n');
  expect(after['worker']).not.toBe(before['worker']);
  expect({ ...after, worker: 0 }).toEqual({ ...before, worker: 0 });
});

it(
  'stops when it is told to, with exit code 0, and leaves no process behind',
  { timeout: 90_000 },
  async () => {
    expect(await running.stop()).toEqual({ code: 0, survivors: [] });
  },
);
