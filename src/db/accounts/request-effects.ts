/**
 * The effect of a request with an `Idempotency-Key`, written into the key's row by the transaction that makes
 * it: a process that takes the request over after a crash continues after that effect.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { deserialize, serialize } from 'node:v8';
import { sql, type Kysely, type Transaction } from 'kysely';
import { upstreamUnavailable } from '../../domain/errors.ts';
import type { ClaimedRequest, IdempotencyKeyId } from '../../domain/accounts/http-stores.ts';
import type { Database } from '../tables.ts';
import { inEntry, skipEntry } from './audit-log.ts';

interface Carried {
  request: ClaimedRequest;
  /** One effect per request: a second one would get the result of the first. */
  isDone: boolean;
}

const carried = new AsyncLocalStorage<Carried>();

/** Runs the work of a claimed request, so that `commitOnce` knows the request. */
export const carryOut = <T>(request: ClaimedRequest, work: () => Promise<T>): Promise<T> =>
  carried.run({ request, isDone: false }, work);

/** Whether the current work runs under an `Idempotency-Key`. */
export const isRemembered = (): boolean => carried.getStore() !== undefined;

/** The request with an `Idempotency-Key` that the current work is for. */
export const currentRequest = (): IdempotencyKeyId | undefined => carried.getStore()?.request.id;

/**
 * The transaction that does what the request asks for, with its entry in the audit log: at most once per
 * `Idempotency-Key`, unless its route is repeatable. A repeat gets the result of the first run, which MUST be
 * plain data, and continues after it.
 */
export async function commitOnce<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const current = carried.getStore();
  if (!current) return inEntry(db, work);
  if (current.isDone)
    throw new Error('A request has one effect; its route is repeatable, or wrong');
  const { request } = current;
  if (request.sealed) {
    current.isDone = true;
    skipEntry();
    return deserialize(request.open(request.sealed)) as T;
  }
  const done = await inEntry(db, async (trx) => {
    const result = await work(trx);
    const sealed = request.seal(serialize(result));
    await remember(trx, request, sealed);
    return { result, sealed };
  });
  request.sealed = done.sealed;
  current.isDone = true;
  return done.result;
}

/**
 * The result of `commitOnce` in an earlier run of this request: for work that precedes the transaction and
 * must not be repeated. Undefined when the work is still to be done.
 */
export function committedEffect<T>(): T | undefined {
  const request = carried.getStore()?.request;
  if (!request?.sealed) return undefined;
  skipEntry();
  return deserialize(request.open(request.sealed)) as T;
}

/**
 * Last in the transaction, so that the row is locked briefly. Throws where another process has taken the
 * request over.
 */
async function remember(
  trx: Transaction<Database>,
  { id, holder }: ClaimedRequest,
  sealed: Buffer,
): Promise<void> {
  const { numAffectedRows } = await sql`update idempotency_keys set sealed_effect = ${sealed}
    where ${ours(id, holder)}`.execute(trx);
  if (numAffectedRows === 1n) return;
  throw upstreamUnavailable('This request took too long, and a repeat of it took over; repeat it');
}

/** The row of a request that this holder still owns. */
export const ours = (id: IdempotencyKeyId, holder: string) => sql`
  user_id = ${id.userId} and route = ${id.route} and key = ${id.key}
  and holder = ${holder} and status is null`;
