/** How Name.com handles a request: validates its body, remembers its idempotency key for an hour. */
import type { Request } from 'express';
import type { z } from 'zod';
import type { IdempotencyKeys } from '../idempotency.ts';
import type { Answer } from '../vendor-router.ts';
import { failure, refuse } from './wire.ts';

export function parseBody<S extends z.ZodType>(schema: S, request: Request): z.infer<S> {
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refuse(400, 'Bad Request', `${issue?.path.join('.') ?? 'body'}: ${issue?.message}`);
}

/** Refusals are not kept: only work that was done is replayed. */
export function withIdempotency(
  keys: IdempotencyKeys,
  request: Request,
  work: () => Answer,
): Answer {
  const key = request.get('x-idempotency-key');
  const asked = { path: request.path, body: request.body as unknown };
  if (key === undefined) return keys.keep(key, asked, work);
  const kept = keys.find(key, asked);
  if (kept === 'mismatch') {
    return failure(409, 'Conflict', 'Idempotency key has been reused for a different request.');
  }
  if (kept !== undefined) {
    const headers = { 'X-Idempotency-Key': key, 'X-Idempotent-Replay': '1' };
    return { ...kept, headers };
  }
  const answer = keys.keep(key, asked, work);
  return { ...answer, headers: { 'X-Idempotency-Key': key } };
}
