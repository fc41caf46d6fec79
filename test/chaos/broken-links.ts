/**
 * Proxies for every link of a world's API and worker; breaks one at a time, and measures how soon it
 * recovers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorldUser } from '../../src/dev/processes/processes.ts';
import type { Ports } from '../../src/dev/ports.ts';
import {
  LINK_FAULTS,
  startTcpLink,
  type LinkFault,
  type TcpLink,
} from '../support/tools/tcp-link.ts';

/** What both processes connect to: `sandbox` are the vendors, `socks` servers, mail and websites. */
const FAR_ENDS = ['postgres', 'temporal', 'sandbox', 'socks'] as const;
type FarEnd = (typeof FAR_ENDS)[number];

export interface WorldLink {
  name: string;
  link: TcpLink;
}

export interface Links {
  all: WorldLink[];
  /** For `startWorld`: puts a link of ours in front of each. */
  through(user: WorldUser, ports: Ports): Promise<Ports>;
  close(): Promise<void>;
}

export function createLinks(): Links {
  const all: WorldLink[] = [];
  return {
    all,
    async through(user, ports) {
      const told: Ports = { ...ports };
      for (const end of FAR_ENDS) {
        const link = await startTcpLink(ports[end]);
        all.push({ name: `${user}->${end satisfies FarEnd}`, link });
        told[end] = link.port;
      }
      return told;
    },
    async close() {
      await Promise.all(all.map(({ link }) => link.close()));
    },
  };
}

export interface Recovery {
  link: string;
  fault: LinkFault;
  downMs: number;
  /** From the heal, and from where a worker that was killed meanwhile is up again, until an operation that began after it was done. */
  recoveryMs: number;
}

const SHORTEST_MS = 1_500;
const LONGEST_MS = 6_000;
/** So that most of the work meets some fault, and some of it none. */
const PAUSE_MS = 500;

/** Breaks links one after the other, each pair of link and fault in turn, until `isOver`. */
export async function breakLinks(
  links: readonly WorldLink[],
  options: {
    random: () => number;
    isOver: () => boolean;
    /** Called while a link is broken; what is returned is awaited after the heal, before the recovery is timed. */
    strike?: (link: string) => Promise<(() => Promise<void>) | undefined>;
    /** Resolves when a fresh operation over every link is done, with the milliseconds that it took. */
    probe: () => Promise<number>;
    report: (recovery: Recovery) => void;
  },
): Promise<Recovery[]> {
  const { random, isOver, strike, probe, report } = options;
  const recoveries: Recovery[] = [];
  let waiting: { link: WorldLink; fault: LinkFault }[] = [];
  while (!isOver()) {
    if (waiting.length === 0) {
      waiting = links.flatMap((link) => LINK_FAULTS.map((fault) => ({ link, fault })));
    }
    const [drawn] = waiting.splice(Math.floor(random() * waiting.length), 1);
    const { link, fault } = drawn!;
    const downMs = Math.round(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
    link.link.break(fault);
    const [goOn] = await Promise.all([strike?.(link.name), sleep(downMs)]);
    link.link.heal();
    await goOn?.();
    const recovery = { link: link.name, fault, downMs, recoveryMs: await probe() };
    recoveries.push(recovery);
    report(recovery);
    await sleep(PAUSE_MS);
  }
  return recoveries;
}
