/** The sides of the bench `tracing`, and how they are measured in turns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './rounds.ts';

/** Hooks that do nothing; traces off, as by default; every tenth trace sent to a collector. */
export const SIDES = ['bare', 'off', 'on'] as const;
export type Side = (typeof SIDES)[number];

/** How a process of a side is started. */
export const startOf = (side: Side, collector: string) => ({
  environment: {
    OTEL_SDK_DISABLED: String(side !== 'on'),
    ...(side === 'on' && {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    }),
  },
  loaded: side === 'bare' ? [new URL('baselines/without-tracing.mjs', import.meta.url).href] : [],
});

export interface Measured {
  /** Microseconds of CPU that its process has used. */
  cpu(): Promise<number>;
  work(): Promise<void>;
}

/** Longer than the 5 s for which the SDK collects spans. */
const LAST_SPANS_MS = 5_500;

/**
 * Microseconds of CPU per unit of work, for each round and side. A round of a side lasts until its next one begins:
 * spans are sent some seconds after they ended, and cost their own side.
 */
export async function inTurns(
  of: Record<Side, Measured>,
  { rounds, units }: { rounds: number; units: number },
): Promise<Record<Side, number[]>> {
  const marks: Record<Side, number[]> = { bare: [], off: [], on: [] };
  for (let round = 0; round < rounds; round += 1) {
    const first = round % SIDES.length;
    for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
      marks[side].push(await of[side].cpu());
      await of[side].work();
    }
  }
  await sleep(LAST_SPANS_MS);
  for (const side of SIDES) marks[side].push(await of[side].cpu());
  const costs = (side: Side) =>
    marks[side].slice(1).map((mark, at) => (mark - marks[side][at]!) / units);
  return { bare: costs('bare'), off: costs('off'), on: costs('on') };
}

export function report(what: string, costs: Record<Side, number[]>, goal: number): void {
  const cost = (side: Side) => `${side} ${median(costs[side]).toFixed(0)} us`;
  const ratios = (a: Side, b: Side) => costs[a].map((each, at) => each / costs[b][at]!);
  const sum = (side: Side) => costs[side].reduce((a, b) => a + b, 0);
  const figure = (a: Side, b: Side) =>
    `${median(ratios(a, b)).toFixed(3)} (all rounds together ${(sum(a) / sum(b)).toFixed(3)})`;
  console.log(
    `CPU per ${what}: ${SIDES.map(cost).join(', ')}; off / bare ${figure('off', 'bare')}`,
  );
  const worst = Math.max(...ratios('on', 'off')).toFixed(2);
  console.log(`tracing (${what}) ratio=${figure('on', 'off')} goal=<=${goal} worst=${worst}`);
}
