/** The process of the attackers; its parent tells it when to begin and when to stop. */
import { ATTACKS, prepareBombs, type AttackName, type Ending } from '../support/api/attacks.ts';

export interface AttackOrder {
  port: number;
  token: string;
  /** How many attackers of each kind are at work at any time. */
  crowd: Partial<Record<AttackName, number>>;
}

export type AttackReport = Record<string, number>;

/** An attacker whose connection ended returns after this time. */
const BACK_MS = 100;
/** A time limit, in case the parent dies without a stop. */
const LONGEST_MS = 120_000;

let stop = new AbortController();
let report: AttackReport = {};
let givingUp: NodeJS.Timeout | undefined;

const note = (name: string, end: Ending) => {
  const key = `${name} ${end}`;
  report[key] = (report[key] ?? 0) + 1;
};

async function attacker(name: AttackName, order: AttackOrder, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    note(name, await ATTACKS[name](order, until));
    await new Promise((resolve) => setTimeout(resolve, BACK_MS));
  }
}

process.on('message', (order: AttackOrder | 'stop') => {
  stop.abort();
  clearTimeout(givingUp);
  if (order === 'stop') {
    process.send?.(report);
    return;
  }
  stop = new AbortController();
  report = {};
  givingUp = setTimeout(() => process.exit(), LONGEST_MS).unref();
  for (const [name, count] of Object.entries(order.crowd) as [AttackName, number][]) {
    for (let n = 0; n < count; n += 1) void attacker(name, order, stop.signal);
  }
});
process.once('disconnect', () => process.exit());

await prepareBombs();
process.send?.('ready');
