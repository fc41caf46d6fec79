/** Tells a process from a later one with the same pid. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Changes when a pid is given to another process; undefined when there is none. */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name in brackets may hold spaces: count from its end; field 22 is the start time.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  }
  const started = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return started?.stdout.trim() || undefined;
}

/** The command line, empty when the process is gone. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text.replaceAll('\0', ' ').trim();
  }
  const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

/** Another user's process counts as alive. A zombie does, too, until it is reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends `signal`, then SIGKILL after `patienceMs`; returns when the process is gone. */
export async function endProcess(
  pid: number,
  signal: NodeJS.Signals,
  patienceMs: number,
): Promise<void> {
  const send = (wanted: NodeJS.Signals) => {
    if (isAlive(pid)) process.kill(pid, wanted);
  };
  send(signal);
  const deadline = Date.now() + patienceMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline + 5_000) throw new Error(`Process ${pid} does not end.`);
    if (Date.now() > deadline) send('SIGKILL');
    await sleep(20);
  }
}
