/** Whether an error says that Postgres is out of reach or too busy, and not that a statement is wrong. */

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown), 25P03 (the server ended an
 * idle transaction), 57014 and 55P03 (a statement waited too long, mostly for somebody's lock), and
 * the codes of node's sockets. All of them heal alone: whoever asked asks again.
 */
const CODES = /^(08|53|57P|57014|25P03|55P03|E(CONN|TIMEDOUT|PIPE|HOST|NET|AI_AGAIN)|ENOTFOUND)/;

/** What `pg` says without a code: before, between and after the statements of a transaction. */
const WORDS =
  /connection (terminated|timeout)|timeout exceeded when trying to connect|not queryable/i;

/** A wrapped error is looked into no deeper than this. */
const MAX_DEPTH = 4;

/** Looks at the error and at what caused it. */
export const isDatabaseDown = (error: unknown): boolean =>
  causesOf(error).some(({ code, message }) =>
    typeof code === 'string' ? CODES.test(code) : WORDS.test(message),
  );

/** The error and its causes, outermost first; of several at once the first one. */
export function causesOf(error: unknown): (Error & { code?: unknown })[] {
  const found: Error[] = [];
  let current = error;
  while (current instanceof Error && found.length < MAX_DEPTH) {
    found.push(current);
    current = current.cause ?? (current instanceof AggregateError ? current.errors[0] : undefined);
  }
  return found;
}
