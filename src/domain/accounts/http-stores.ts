/** The contract of what the HTTP layer keeps in Postgres; `src/db/accounts/http-stores.ts` fulfils it. */
import type { RequestAudit } from './audit-log.ts';
import type { RequestAdmission } from './rate-limits.ts';

/** A stored response: its status and the JSON text of its body. */
export interface KeptAnswer {
  status: number;
  sealed: Buffer;
}

export interface IdempotencyKeyId {
  userId: string;
  route: string;
  key: string;
}

/** What the sealed answer of a request is bound to: its row. */
export const answerBinding = ({ userId, route, key }: IdempotencyKeyId): string =>
  `idempotency:${JSON.stringify([userId, route, key])}`;

/** The same for the effect, which must not be mistaken for an answer. */
export const effectBinding = (id: IdempotencyKeyId): string => `${answerBinding(id)}:effect`;

/**
 * A request that was claimed, and what it has committed. `sealed` is set within the transaction of its
 * effect; where an earlier holder died after that, it is set from the start.
 */
export interface ClaimedRequest {
  id: IdempotencyKeyId;
  holder: string;
  sealed: Buffer | null;
  seal(effect: Buffer): Buffer;
  open(sealed: Buffer): Buffer;
}

export type Claim =
  | { state: 'ours'; sealedEffect: Buffer | null }
  | { state: 'running' }
  | { state: 'kept'; answer: KeptAnswer }
  | { state: 'forgotten' }
  | { state: 'other_body' };

/** Rows behind `Idempotency-Key`; a holder that dies loses its row after the lease. */
export interface IdempotencyStore {
  claim(id: IdempotencyKeyId, bodyHash: Buffer, holder: string): Promise<Claim>;
  renew(id: IdempotencyKeyId, holder: string): Promise<void>;
  /** During `work` the transaction of the effect writes its result into the request's row. */
  carryOut<T>(request: ClaimedRequest, work: () => Promise<T>): Promise<T>;
  keep(id: IdempotencyKeyId, holder: string, answer: KeptAnswer): Promise<void>;
  /** Releases the row at once, for the next request. A committed effect stays with the row. */
  release(id: IdempotencyKeyId, holder: string): Promise<void>;
}

export interface HttpStores {
  admission: RequestAdmission;
  idempotency: IdempotencyStore;
  audit: RequestAudit;
  /** Deletes expired rows; safe to run in several processes. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
