import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/dev/ports.ts';
import { isAlive } from '../../src/dev/processes/process-identity.ts';
import {
  createSupervisor,
  type ProcessSpec,
  type Supervisor,
} from '../../src/dev/processes/supervisor.ts';

/** A small HTTP server as the supervised process. */
const script = (port: number) =>
  `require('node:http').createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1');
   console.log('listening')`;

describe('supervisor', () => {
  let logsDir: string;
  let supervisor: Supervisor;
  const report = vi.fn<(line: string) => void>();
  const changed = vi.fn<() => void>();

  beforeEach(async () => {
    logsDir = await mkdtemp(join(tmpdir(), 'outreach-supervisor-'));
    report.mockReset();
    supervisor = createSupervisor({ logsDir, report, changed });
  });

  afterEach(async () => {
    await supervisor.stop([['server']]);
    await rm(logsDir, { recursive: true, force: true });
  });

  const server = async (code: (port: number) => string): Promise<ProcessSpec> => {
    const port = await freePort();
    const answers = () => fetch(`http://127.0.0.1:${port}`).then(({ ok }) => ok, () => false); // prettier-ignore
    const command = process.execPath;
    const args = ['-e', code(port)];
    return { name: 'server', command, args, env: {}, cwd: '/', answers, stopSignal: 'SIGTERM' };
  };

  it('restarts a killed process under a new number and stops it for good', async () => {
    const spec = await server(script);
    await supervisor.start(spec);
    const first = supervisor.pids()['server']!;
    changed.mockReset();

    process.kill(first, 'SIGKILL');
    await vi.waitFor(() => expect(supervisor.pids()['server']).not.toBe(first), 30_000);
    const second = supervisor.pids()['server']!;
    await vi.waitFor(async () => expect(await spec.answers()).toBe(true), 30_000);
    expect(changed).toHaveBeenCalledOnce();
    expect(report).toHaveBeenCalledWith(
      `server (process ${first}) ended with SIGKILL; restarting it`,
    );

    await supervisor.stop([['server']]);
    expect(isAlive(second)).toBe(false);
    expect(await readFile(join(logsDir, 'server.log'), 'utf8')).toBe('listening\nlistening\n');
  });

  it('gives a start up after three deaths and shows the end of the log', async () => {
    const spec = await server(() => `console.error('no such setting'); process.exit(1)`);
    await expect(supervisor.start(spec)).rejects.toThrow(
      /^server does not start. Its log ends with:\n(.*\n)*no such setting/,
    );
  });

  it('restarts on request, which is no death', async () => {
    const spec = await server(script);
    await supervisor.start(spec);
    const first = supervisor.pids()['server']!;
    await supervisor.restart('server');
    expect(await spec.answers()).toBe(true);
    expect(supervisor.pids()['server']).not.toBe(first);
    expect(isAlive(first)).toBe(false);
    expect(report).not.toHaveBeenCalledWith(expect.stringContaining('restarting it'));
  });

  it('says on request why a process does not come back, and starts it once it can', async () => {
    const spec = await server(
      (port) => `if (require('node:fs').existsSync('${join(logsDir, 'broken')}')) {
        console.error('no such setting'); process.exit(1) }
        ${script(port)}`,
    );
    await supervisor.start(spec);
    await writeFile(join(logsDir, 'broken'), '');
    await expect(supervisor.restart('server')).rejects.toThrow(/no such setting$/);
    await rm(join(logsDir, 'broken'));
    await supervisor.restart('server');
    expect(await spec.answers()).toBe(true);
  });
});
