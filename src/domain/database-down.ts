/** Whether an error says that Postgres is out of reach, and not that a statement of ours is wrong. */

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown), 25P03 (the server ended an
 * idle transaction), and the codes of node's sockets.
 */
const CODES = /^(08|53|57P|25P03|E(CONN|TIMEDOUT|PIPE|HOST|NET|AI_AGAIN)|ENOTFOUND)/;

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
