import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordRun, runningSupervisor, stopOrphans } from '../../src/dev/processes/earlier-run.ts';
import { isAlive } from '../../src/dev/processes/process-identity.ts';
import { loadSecrets } from '../../src/dev/secrets.ts';
import { readWorldFile, worldFile, type WorldFile } from '../../src/dev/world-file.ts';

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'outreach-state-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const modeOf = async (name: string) => (await stat(join(stateDir, name))).mode & 0o777;

describe('world.json', () => {
  const world = { api: 'http://127.0.0.1:3000', pids: { api: 1 } } as unknown as WorldFile;

  it('is private, holds the last of several writes, and goes', async () => {
    const file = worldFile(stateDir);
    await Promise.all([file.write(world), file.write({ ...world, pids: { api: 2 } })]);
    expect(await modeOf('world.json')).toBe(0o600);
    expect((await readWorldFile(stateDir))?.pids).toEqual({ api: 2 });
    await file.remove();
    expect(existsSync(file.path)).toBe(false);
    expect(await readWorldFile(stateDir)).toBeUndefined();
  });
});

describe('secrets of a state dir', () => {
  it('are made once, privately, and recognizable as development ones', async () => {
    const secrets = await loadSecrets(stateDir);
    expect(await modeOf('secrets.json')).toBe(0o600);
    expect(await loadSecrets(stateDir)).toEqual(secrets);
    expect(secrets.jwtSecret).toMatch(/^development-/);
    expect(secrets.encryptionKeys).toMatch(/^development:/);
  });
});

describe('an earlier run', () => {
  it('that is alive holds the state dir', async () => {
    await recordRun(stateDir, {});
    expect(await runningSupervisor(stateDir)).toBe(process.pid);
  });

  it('that was killed has its children stopped, but no stranger with the same number', async () => {
    const child = spawn('sleep', ['60']);
    await recordRun(stateDir, { api: child.pid! });
    expect(await stopOrphans(stateDir, ['api'])).toEqual([]);
    const gone = once(child, 'exit');
    expect(await stopOrphans(stateDir, [])).toEqual(['api']);
    await gone;

    const stranger = spawn('sleep', ['60']);
    const children = { api: { pid: stranger.pid, identity: 'another start' } };
    const supervisor = { pid: process.pid, identity: 'another start' };
    await writeFile(join(stateDir, 'supervisor.json'), JSON.stringify({ supervisor, children }));
    expect(await runningSupervisor(stateDir)).toBeUndefined();
    expect(await stopOrphans(stateDir, [])).toEqual([]);
    expect(isAlive(stranger.pid!)).toBe(true);
    stranger.kill();
  });
});
