/**
 * Whether an error means that Postgres is unreachable or overloaded, rather than that a statement is wrong.
 */

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown), 25P03 (the server ended an idle
 * transaction), 57014 and 55P03 (a statement waited too long, mostly for a lock), and the codes of node's
 * sockets. All of them are temporary: the caller retries.
 */
const CODES = /^(08|53|57P|57014|25P03|55P03|E(CONN|TIMEDOUT|PIPE|HOST|NET|AI_AGAIN)|ENOTFOUND)/;

/** Messages of `pg` without a code: before, between and after the statements of a transaction. */
const WORDS =
  /connection (terminated|timeout)|timeout exceeded when trying to connect|not queryable/i;

/** How deep nested causes are inspected. */
const MAX_DEPTH = 4;

/** Checks the error and its causes. */
export const isDatabaseDown = (error: unknown): boolean =>
  causesOf(error).some(({ code, message }) =>
    typeof code === 'string' ? CODES.test(code) : WORDS.test(message),
  );

/** A statement that took too long, or its wait for a lock. */
const LATE = /^(57014|55P03)/;

/** Whether all else would fail, too: what one statement was too slow for says nothing about others. */
export const isDownForAll = (error: unknown): boolean =>
  isDatabaseDown(error) &&
  !causesOf(error).some(({ code }) => typeof code === 'string' && LATE.test(code));

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
