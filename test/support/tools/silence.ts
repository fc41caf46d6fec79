/** Answers that never come: of one query or one call, counted over a database and what is called beside it. */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

export interface Silence {
  /** Answers so far, the one that is held back among them. */
  answers(): number;
  isReached(): boolean;
  db(db: Kysely<Database>): Kysely<Database>;
  /** The same object, whose promises count, and those of what they resolve to. */
  calls<T extends object>(target: T): T;
  /** Lets the answer come after all. */
  end(): void;
}

/** The answer with this number is held back, from 1. `only`: of queries, those of which it finds the words count. */
export function silentAt(number: number, only = /(?:)/): Silence {
  let count = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const answered = async <T>(value: T): Promise<T> => {
    count += 1;
    if (count === number) await ended;
    return value;
  };
  const counted = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (only.test(JSON.stringify(node))) counted.add(queryId);
      return node;
    },
    transformResult: ({ result, queryId }) =>
      counted.has(queryId) ? answered(result) : Promise.resolve(result),
  };
  const calls = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]) => {
          const result: unknown = value.apply(of, input);
          if (!(result instanceof Promise)) return result;
          return result.then(async (answer: unknown) => {
            await answered(undefined);
            const isSession = typeof answer === 'object' && answer !== null && 'isUsable' in answer;
            return isSession ? calls(answer) : answer;
          });
        };
      },
    });
  return {
    answers: () => count,
    isReached: () => count >= number,
    db: (db) => db.withPlugin(plugin),
    calls,
    end,
  };
}
