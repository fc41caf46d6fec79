/** Calls to Porkbun: nearly everything is POST with a JSON object, and an error may come with HTTP 200. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import { errorAnswer } from './porkbun-failures.ts';

/** One call; `key` makes the vendor remember its answer for 24 hours. */
export interface PorkbunCall<S extends z.ZodType> {
  path: string;
  /** POST unless said otherwise. */
  method?: 'GET';
  body?: object;
  key?: string;
  /** False where money is spent. */
  repeatable: boolean;
  answer: S;
}

export async function ask<S extends z.ZodType>(
  client: JsonClient,
  call: PorkbunCall<S>,
): Promise<z.infer<S>> {
  const { path, method = 'POST', body = {}, key, repeatable } = call;
  const answer = z.union([errorAnswer, call.answer]);
  const found = await client.sendForHeaders({
    method,
    path,
    ...(method === 'POST' && { body }),
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    repeatable,
    answer,
  });
  const failed = errorAnswer.safeParse(found.body);
  if (!failed.success) return found.body as z.infer<S>;
  throw client.refuse({
    status: 200,
    headers: found.headers,
    body: found.body,
    requestId: undefined,
    repeatable,
    operation: `${method} ${path}`,
  });
}

export const domainPath = (action: string, domain: string) =>
  `${action}/${encodeURIComponent(domain)}`;

/** Turns refusals with one of these codes into `value`; anything else stays an error. */
export const whenRefusedWith =
  <T>(codes: RegExp, value: T) =>
  (error: unknown): T => {
    if (error instanceof ProviderError && error.kind === 'rejected') {
      if (codes.test(error.facts.providerCode ?? '')) return value;
    }
    throw error;
  };
