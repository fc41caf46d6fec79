/**
 * The effect of a request with an `Idempotency-Key`, written into the key's row by the transaction that
 * makes it: whoever takes the request over after a death goes on behind it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { deserialize, serialize } from 'node:v8';
import { sql, type Kysely, type Transaction } from 'kysely';
import { upstreamUnavailable } from '../../domain/errors.ts';
import type { ClaimedRequest, IdempotencyKeyId } from '../../domain/accounts/http-stores.ts';
import type { Database } from '../tables.ts';

interface Carried {
  request: ClaimedRequest;
  /** One effect a request: a second one would be answered with the first one's result. */
  isDone: boolean;
}

const carried = new AsyncLocalStorage<Carried>();

/** Runs the work of a claimed request, in which `commitOnce` knows of it. */
export const carryOut = <T>(request: ClaimedRequest, work: () => Promise<T>): Promise<T> =>
  carried.run({ request, isDone: false }, work);

/** Says whether what happens here is remembered under an `Idempotency-Key`. */
export const isRemembered = (): boolean => carried.getStore() !== undefined;

/**
 * The transaction that does what the request asks for: at most once under its `Idempotency-Key`. A
 * repeat gets what the first one returned, which MUST be plain data, and goes on behind it. Outside
 * of such requests it is a transaction as any other.
 */
export async function commitOnce<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const current = carried.getStore();
  if (!current) return db.transaction().execute(work);
  if (current.isDone)
    throw new Error('A request has one effect; its route is repeatable, or wrong');
  const { request } = current;
  if (request.sealed) {
    current.isDone = true;
    return deserialize(request.open(request.sealed)) as T;
  }
  const done = await db.transaction().execute(async (trx) => {
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
 * What `commitOnce` has returned when this very request was made before: for work that comes before
 * its transaction and must not be begun again. Undefined when the work is still to be done.
 */
export function committedEffect<T>(): T | undefined {
  const request = carried.getStore()?.request;
  return request?.sealed ? (deserialize(request.open(request.sealed)) as T) : undefined;
}

/** Last of all, so that the row is locked for a moment only. Throws where somebody took the request over. */
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

/** The row of a request that is still this holder's. */
export const ours = (id: IdempotencyKeyId, holder: string) => sql`
  user_id = ${id.userId} and route = ${id.route} and key = ${id.key}
  and holder = ${holder} and status is null`;
