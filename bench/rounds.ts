/** What the benches share: the median of several rounds, and CPU and memory from Linux' /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** The middle value; of an even count, the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Microseconds of CPU that a process has used, in steps of 10 ms; NaN where there is no /proc. */
export async function cpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) * 10_000;
}

/** The same of all of Postgres' processes, those that have ended included. */
export async function postgresCpuMicros(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  let ticks = pids.length > 0 ? 0 : Number.NaN;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isPostmaster = Number(pid) === postmaster;
    if (isPostmaster || Number(fields[1]) === postmaster) {
      ticks += Number(fields[11]) + Number(fields[12]);
    }
    // The CPU of its ended children; a connection that idles is closed.
    if (isPostmaster) ticks += Number(fields[13]) + Number(fields[14]);
  }
  return ticks * 10_000;
}

/** Resident memory of a process in MB; NaN where there is no /proc. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

/** The load of the last minute and the machine, for the line under the numbers. */
export async function machine(): Promise<string> {
  const { availableParallelism, loadavg, cpus } = await import('node:os');
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), Node.js ${process.version}, load ${loadavg()[0]!.toFixed(1)}`;
}
