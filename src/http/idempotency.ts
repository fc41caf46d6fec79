/** `Idempotency-Key`: a repeated POST gets the first one's answer instead of having its effect again. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { invalid, upstreamUnavailable } from '../domain/errors.ts';
import {
  answerBinding,
  effectBinding,
  type ClaimedRequest,
  type IdempotencyKeyId,
} from '../domain/accounts/http-stores.ts';

/** The status and JSON text of an answer. */
export interface Answer {
  status: number;
  text: string;
  /** The error's code, for answers that are errors. */
  code?: string;
  replayed?: boolean;
}

/** A third of the lease, so that one lost renewal does no harm. */
const RENEW_MS = 10_000;
/** Long enough to outlast the lease of a dead process. */
const MAX_WAIT_MS = 60_000;
const FIRST_POLL_MS = 25;
const SLOWEST_POLL_MS = 500;

/** Delays for a write that failed after the work was done; the lease still holds meanwhile. */
const LATER_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** 400s that the same request always gets. */
const DETERMINISTIC_CODES: readonly string[] = ['VALIDATION_ERROR', 'INVALID_INPUT'];

export interface IdempotentRequest {
  userId: string;
  /** Method and path with its ids; the same for both forms of a path. */
  route: string;
  key: string;
  /** Hash of everything that makes the request: query and body. */
  fingerprint: Buffer;
  /** The route finds the effect of the first request by itself. */
  isRepeatable: boolean;
}

/** The same for repeats of a request, and different from every other request of the user. */
export const requestKeyOf = ({ route, key, fingerprint }: IdempotentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([route, key]))
    .update(fingerprint)
    .digest('hex');

/** Validates the header's form. */
export function checkIdempotencyKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

/**
 * Runs `work` once per user, route and key within a day. A second request waits for the first and gets
 * its answer; only 2xx and deterministic 400s are stored. Where the first one's process died, the second
 * continues after what it had committed. Choice 51.
 */
export function createOnce(
  context: Pick<Context, 'cipher' | 'logger' | 'httpStores'>,
  { checkAnswers = false } = {},
): (request: IdempotentRequest, work: () => Promise<Answer>) => Promise<Answer> {
  const store = context.httpStores.idempotency;

  const claim = async (id: IdempotencyKeyId, bodyHash: Buffer, holder: string) => {
    const deadline = performance.now() + MAX_WAIT_MS;
    let pollMs = FIRST_POLL_MS;
    while (performance.now() < deadline) {
      const found = await store.claim(id, bodyHash, holder);
      if (found.state !== 'running') return found;
      await sleep(pollMs);
      pollMs = Math.min(pollMs * 2, SLOWEST_POLL_MS);
    }
    throw upstreamUnavailable('The first request with this Idempotency-Key is still running');
  };

  const claimed = (id: IdempotencyKeyId, holder: string, sealed: Buffer | null) => ({
    id,
    holder,
    sealed,
    seal: (effect: Buffer) => context.cipher.seal(effect.toString('base64'), effectBinding(id)),
    open: (known: Buffer) => Buffer.from(context.cipher.open(known, effectBinding(id)), 'base64'),
  });

  const carryOut = async (request: ClaimedRequest, run: () => Promise<Answer>): Promise<Answer> => {
    const answer = await store.carryOut(request, run);
    if (checkAnswers && answer.status < 300 && !request.sealed) {
      throw new Error(`${request.id.route} is not repeatable, and its effect is not remembered`);
    }
    return answer;
  };

  const work = async (
    { id, holder }: { id: IdempotencyKeyId; holder: string },
    run: () => Promise<Answer>,
  ): Promise<Answer> => {
    const renewal = setInterval(() => {
      store.renew(id, holder).catch((error: unknown) => {
        context.logger.warn({ err: error }, 'an idempotency lease was not renewed');
      });
    }, RENEW_MS);
    let answer: Answer | undefined;
    try {
      answer = await run();
      return answer;
    } finally {
      clearInterval(renewal);
      await settle(id, holder, answer);
    }
  };

  /**
   * Called when the work is done: a failed write may lose the replay, never the answer, which does not
   * wait.
   */
  const settle = async (id: IdempotencyKeyId, holder: string, answer: Answer | undefined) => {
    const isLasting = answer !== undefined && isKept(answer);
    const sealed = isLasting ? context.cipher.seal(answer.text, answerBinding(id)) : undefined;
    const write = () =>
      isLasting
        ? store.keep(id, holder, { status: answer.status, sealed: sealed! })
        : store.release(id, holder);
    await write().catch((error: unknown) => void writeLater(write, error));
  };

  const writeLater = async (write: () => Promise<void>, first: unknown): Promise<void> => {
    let err = first;
    for (const ms of LATER_MS) {
      await sleep(ms, undefined, { ref: false });
      try {
        return await write();
      } catch (error) {
        err = error;
      }
    }
    context.logger.error({ err }, 'the answer of an idempotent request was not kept');
  };

  return async ({ userId, route, key, fingerprint, isRepeatable }, run) => {
    const id = { userId, route, key };
    const holder = randomUUID();
    const bodyHash = createHash('sha256').update(fingerprint).digest();
    const found = await claim(id, bodyHash, holder).catch((error: unknown) => {
      // The row may have been written, though the database's reply was lost.
      void writeLater(() => store.release(id, holder), error);
      throw error;
    });
    if (found.state === 'other_body') {
      throw invalid(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used for a request with another body',
      );
    }
    if (found.state === 'forgotten') {
      throw invalid(
        'ANSWER_ERASED',
        'The request was carried out; its answer was deleted when a person was erased, and it is not repeated',
      );
    }
    if (found.state === 'ours') {
      if (isRepeatable) return work({ id, holder }, run);
      const request = claimed(id, holder, found.sealedEffect);
      return work({ id, holder }, () => carryOut(request, run));
    }
    const text = context.cipher.open(found.answer.sealed, answerBinding(id));
    return { status: found.answer.status, text, replayed: true };
  };
}

const isKept = (answer: Answer): boolean =>
  answer.status < 300 || (answer.status === 400 && DETERMINISTIC_CODES.includes(answer.code ?? ''));
