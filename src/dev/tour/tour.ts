/** What a tour's steps share: the world, a client with the tour's key, and what earlier steps made. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorldFile } from '../world-file.ts';
import type { Progress } from './progress.ts';

export interface TourMailbox {
  id: number;
  email: string;
  password: string;
}

export interface TourCampaign {
  id: number;
  /** The domain of its recipients. */
  domain: string;
  leads: { email: string; firstName: string }[];
}

/** What the steps need to know of a world. */
export type TourWorld = Pick<WorldFile, 'api' | 'sandbox' | 'jwtSecret' | 'caFile'>;

export interface Tour {
  world: TourWorld;
  /** The domain of this run, which nobody has bought before. */
  domain: string;
  /** A new key for the tour, so that the world's own keeps its whole rate limit. */
  key?: { id: string; key: string };
  checkoutUrl?: string;
  cluster?: { id: number; mailHost: string };
  mailboxes?: TourMailbox[];
  webhookId?: number;
  campaign?: TourCampaign;
  /** Shows what the step waits for. */
  say: Progress['say'];
  /** The same for a number that increases. */
  count: Progress['count'];
}

export interface TourStep {
  title: string;
  /** Does the step, checks it (throws when the result is wrong) and answers a summary line. */
  run(tour: Tour): Promise<string>;
}

const none = () => undefined;

export function createTour(world: TourWorld): Tour {
  return { world, domain: `tour-${randomBytes(4).toString('hex')}.com`, say: none, count: none };
}

/** Fails the step with a sentence about what was expected. */
export function check(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new Error(`Expected ${expectation}`);
}

/** Polls until `ask` answers something; `what` names it on a time-out. */
export async function until<T>(
  what: string,
  { withinSeconds, everySeconds }: { withinSeconds: number; everySeconds: number },
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + withinSeconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${withinSeconds} s`);
    await sleep(everySeconds * 1000);
  }
}

export const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
