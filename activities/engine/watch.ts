/**
 * Tells a session that works from one that hangs: a socket that never answers, a promise that never settles.
 * Progress is the answer to a query, or the end of a call to a mail server or a resolver.
 */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';

/** A session without any answer for so long hangs: it is left, and another one takes over. */
export const HUNG_MS = 85_000;

/** News of a mail server is waited for at most so long at once: a hang in it is noticed within two minutes. */
export const LONGEST_IDLE_MS = 75_000;

/** A wait for news that has not ended so long after its time hangs: the end of IDLE is asked of the server. */
const IDLE_GRACE_MS = 30_000;

/** What a session asks: each answer is progress. */
type Asked = Pick<Context, 'db' | 'mailTransport'> & Partial<Pick<Context, 'dns'>>;

export interface Watch {
  /** For this time, in milliseconds, no answer is expected: a pause, or a wait that ends by itself. */
  quietFor: (ms: number) => void;
  /** The same database, mail transport and resolver, whose answers are noted. `idle` ends by `LONGEST_IDLE_MS`. */
  db: Kysely<Database>;
  mailTransport: MailTransport;
  dns?: Context['dns'];
  /**
   * True when nothing at all was answered for `limitMs`, or when mail servers owe answers and none of them
   * has come for so long, or when a wait for news has not ended in its time: other queries may go on meanwhile.
   */
  isHung(limitMs: number): boolean;
}

export function createWatch(
  { db, mailTransport, dns }: Asked,
  now: () => number = () => performance.now(),
): Watch {
  let answeredAt = now();
  let mailAnsweredAt = now();
  let owed = 0;
  const noteAnswer = (): void => void (answeredAt = now());
  let quietUntil = -Infinity;
  const quietFor = (ms: number): void => void (quietUntil = now() + ms);
  const waits = new Set<{ begunAt: number; endsAt: number }>();
  const isWaitHung = (limitMs: number): boolean => {
    const graceMs = Math.min(limitMs, IDLE_GRACE_MS);
    const ends = [...waits].map(({ begunAt, endsAt }) =>
      Math.max(begunAt + limitMs, endsAt + graceMs),
    );
    return now() > Math.min(...ends);
  };
  const calls: Calls = {
    begin() {
      if (owed === 0) mailAnsweredAt = now();
      owed += 1;
    },
    end() {
      owed -= 1;
      mailAnsweredAt = now();
      noteAnswer();
    },
    async wait(limitMs, work) {
      const wait = { begunAt: now(), endsAt: now() + limitMs };
      waits.add(wait);
      try {
        return await work();
      } finally {
        waits.delete(wait);
        noteAnswer();
      }
    },
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      noteAnswer();
      return Promise.resolve(result);
    },
  };
  return {
    db: db.withPlugin(plugin),
    mailTransport: watched(mailTransport, calls),
    ...(dns && { dns: watched(dns, calls) }),
    quietFor,
    isHung(limitMs) {
      const waitEnds = [...waits].map(({ endsAt }) => endsAt);
      return (
        now() - Math.max(answeredAt, quietUntil, ...waitEnds) > limitMs ||
        (owed > 0 && now() - mailAnsweredAt > limitMs) ||
        isWaitHung(limitMs)
      );
    },
  };
}

interface Calls {
  begin(): void;
  end(): void;
  /** A wait that ends by itself after this time. */
  wait(limitMs: number, work: () => Promise<unknown>): Promise<unknown>;
}

/** The same object, whose calls are noted, and those of the sessions that it opens. */
function watched<T extends object>(target: T, calls: Calls): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== 'function') return value;
      if (name === 'idle') {
        return (limitMs: number, ...rest: unknown[]) => {
          const ms = Math.min(limitMs, LONGEST_IDLE_MS);
          return calls.wait(ms, () => value.call(of, ms, ...rest) as Promise<unknown>);
        };
      }
      return (...input: unknown[]) => noted(value.apply(of, input), calls);
    },
  });
}

function noted(result: unknown, calls: Calls): unknown {
  if (result instanceof Promise) {
    calls.begin();
    return result.finally(() => calls.end()).then((value: unknown) => sessionOf(value, calls));
  }
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    return notedItems(result as AsyncIterable<unknown>, calls);
  }
  return result;
}

/** Sessions have calls of their own; anything else is an answer. */
const sessionOf = (value: unknown, calls: Calls): unknown =>
  typeof value === 'object' && value !== null && 'isUsable' in value
    ? watched(value, calls)
    : value;

async function* notedItems(items: AsyncIterable<unknown>, calls: Calls): AsyncIterable<unknown> {
  const each = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      calls.begin();
      const { done, value } = await each.next().finally(() => calls.end());
      if (done) return;
      yield value;
    }
  } finally {
    await each.return?.();
  }
}
