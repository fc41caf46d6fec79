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

/** Of each process of a side: microseconds of CPU per unit of work, for each round. */
export type Costs = Record<Side, number[][]>;

/**
 * Several processes of each side, since two of the same differ by several per cent for as long as they live. A round of one
 * lasts until its next one begins: spans are sent some seconds after they ended, and cost the process that had them.
 */
export async function inTurns(
  of: Record<Side, readonly Measured[]>,
  { rounds, units }: { rounds: number; units: number },
): Promise<Costs> {
  const marks: Costs = { bare: [], off: [], on: [] };
  for (const side of SIDES) marks[side] = of[side].map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, n] of orderOf(of, round)) {
      marks[side][n]!.push(await of[side][n]!.cpu());
      await of[side][n]!.work();
    }
  }
  await sleep(LAST_SPANS_MS);
  for (const side of SIDES) {
    for (const [n, process] of of[side].entries()) marks[side][n]!.push(await process.cpu());
  }
  const costs = (side: Side) =>
    marks[side].map((each) => each.slice(1).map((mark, at) => (mark - each[at]!) / units));
  return { bare: costs('bare'), off: costs('off'), on: costs('on') };
}

/** One process of each side, then the next one of each, every side first in a third of the rounds. */
function orderOf(
  of: Record<Side, readonly Measured[]>,
  round: number,
): (readonly [side: Side, n: number])[] {
  const first = round % SIDES.length;
  const sides = [...SIDES.slice(first), ...SIDES.slice(0, first)];
  return of.bare.flatMap((_, n) => sides.map((side) => [side, n] as const));
}

export function report(what: string, costs: Costs, goal: number): void {
  const ratio = (a: Side, b: Side) => {
    const turns = costs[a].flatMap((each, n) =>
      each.map((cost, round) => cost / costs[b][n]![round]!),
    );
    const together = mean(costs[a].flat()) / mean(costs[b].flat());
    return {
      turns,
      words: `${median(turns).toFixed(3)} (all rounds together ${together.toFixed(3)})`,
    };
  };
  const cost = (side: Side) => `${side} ${median(costs[side].flat()).toFixed(0)} us`;
  const own = (side: Side) =>
    `${side} ${costs[side].map((each) => median(each).toFixed(0)).join(' ')}`;
  const { turns, words } = ratio('on', 'off');
  console.log(
    `CPU per ${what}: ${SIDES.map(cost).join(', ')}; off / bare ${ratio('off', 'bare').words}; ` +
      `of each process: ${SIDES.map(own).join(', ')}`,
  );
  const worst = Math.max(...turns).toFixed(2);
  console.log(`tracing (${what}) ratio=${words} goal=<=${goal} worst=${worst}`);
}

const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / values.length;
