/** One supervisor per state dir; the next one stops what a killed one left running. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.ts';
import { endProcess, processIdentity } from './process-identity.ts';

interface KnownProcess {
  pid: number;
  /** Compared before anything is killed: process ids are reused. */
  identity: string;
}

interface RunFile {
  supervisor: KnownProcess;
  children: Record<string, KnownProcess>;
}

/** How long an orphan may take to end by itself. */
const patienceMs = 3_000;

/** The supervisor's process id when a world is up (or starting) on this state dir. */
export async function runningSupervisor(stateDir: string): Promise<number | undefined> {
  const run = await readRun(stateDir);
  return run && (await isStill(run.supervisor)) ? run.supervisor.pid : undefined;
}

/** Ends what a dead supervisor left, except the database, which is adopted. Returns their names. */
export async function stopOrphans(stateDir: string, adopted: string[]): Promise<string[]> {
  const run = await readRun(stateDir);
  const stopped: string[] = [];
  for (const [name, known] of Object.entries(run?.children ?? {})) {
    if (adopted.includes(name) || !(await isStill(known))) continue;
    await endProcess(known.pid, 'SIGTERM', patienceMs);
    stopped.push(name);
  }
  return stopped;
}

/** Records the processes of this run; `children` by name. */
export async function recordRun(stateDir: string, children: Record<string, number>): Promise<void> {
  const known: Record<string, KnownProcess> = {};
  for (const [name, pid] of Object.entries(children)) {
    const identity = await processIdentity(pid);
    if (identity) known[name] = { pid, identity };
  }
  const identity = (await processIdentity(process.pid)) ?? '';
  const run: RunFile = { supervisor: { pid: process.pid, identity }, children: known };
  await writePrivateFile(file(stateDir), run);
}

/** Deletes the record after a clean stop. */
export async function forgetRun(stateDir: string): Promise<void> {
  await rm(file(stateDir), { force: true });
}

const file = (stateDir: string) => join(stateDir, 'supervisor.json');

async function readRun(stateDir: string): Promise<RunFile | undefined> {
  const text = await readFile(file(stateDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as RunFile);
}

async function isStill(known: KnownProcess): Promise<boolean> {
  return (await processIdentity(known.pid)) === known.identity;
}
