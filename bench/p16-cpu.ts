/** The CPU of P16's processes between two moments: where the time of a message or of a quiet minute goes. */
import { cpuMicros, postgresCpuMicros } from './rounds.ts';

/** Each part with the processes that make it; Postgres' by its postmaster. */
export interface Parts {
  workers: readonly number[];
  postgres: number;
  temporal: number;
  hosts: number;
}

export type CpuTimes = Record<keyof Parts, number>;

/** Milliseconds that each part has used so far. A process that is gone counts as none. */
export async function cpuTimes({ workers, postgres, temporal, hosts }: Parts): Promise<CpuTimes> {
  const ms = async (pid: number) => ((await cpuMicros(pid)) || 0) / 1_000;
  const ofWorkers = await Promise.all(workers.map(ms));
  return {
    workers: ofWorkers.reduce((sum, one) => sum + one, 0),
    postgres: (await postgresCpuMicros(postgres)) / 1_000,
    temporal: await ms(temporal),
    hosts: await ms(hosts),
  };
}

/** Such as `workers 12.1, postgres 9.0, temporal 0.2, hosts 3.1 (24.4)`: milliseconds for each of `times`. */
export function toldCpu(before: CpuTimes, after: CpuTimes, times: number): string {
  const parts = (Object.keys(before) as (keyof CpuTimes)[]).map((part) => {
    const ms = (after[part] - before[part]) / times;
    return { text: `${part} ${ms.toFixed(1)}`, ms };
  });
  const sum = parts.reduce((total, { ms }) => total + ms, 0);
  return `${parts.map(({ text }) => text).join(', ')} (${sum.toFixed(1)})`;
}
