/**
 * Tells a session that works from one that hangs: a socket that never answers, a promise that never settles.
 * Progress is the answer to a query, or the end of a call to a mail server.
 */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';

/** Calls that wait by design and end by themselves. */
const WAITS = new Set(['idle']);

export interface Watch {
  /** The same database and mail transport, whose answers are noted. */
  db: Kysely<Database>;
  mailTransport: MailTransport;
  /**
   * True when nothing at all was answered for `limitMs`, or when mail servers owe answers and none of them
   * has come for so long: other queries may go on meanwhile.
   */
  isHung(limitMs: number): boolean;
}

export function createWatch(
  { db, mailTransport }: Pick<Context, 'db' | 'mailTransport'>,
  now: () => number = () => performance.now(),
): Watch {
  let answeredAt = now();
  let mailAnsweredAt = now();
  let owed = 0;
  const noteAnswer = (): void => void (answeredAt = now());
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
    isHung: (limitMs) =>
      now() - answeredAt > limitMs || (owed > 0 && now() - mailAnsweredAt > limitMs),
  };
}

interface Calls {
  begin(): void;
  end(): void;
}

/** The same object, whose calls are noted, and those of the sessions that it opens. */
function watched<T extends object>(target: T, calls: Calls): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== 'function' || WAITS.has(String(name))) {
        return typeof value === 'function' ? value.bind(of) : value;
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
