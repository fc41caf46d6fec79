/** What an authority answers (RFC 8555, 7.1), as far as it is read. */
import { z } from 'zod';

export const directory = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });

/** RFC 7807, with the parts of RFC 8555, 6.7.1. */
export const problem = z.object({
  type: z.string().default('about:blank'),
  detail: z.string().optional(),
  subproblems: z.array(z.object({ detail: z.string().optional() })).optional(),
});
export type Problem = z.infer<typeof problem>;

export const order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()).min(1),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem.optional().catch(undefined),
});
export type Order = z.infer<typeof order>;

const challenge = z.object({
  type: z.string(),
  url: z.url(),
  status: z.string(),
  token: z.string().optional(),
  error: problem.optional().catch(undefined),
});

export const authorization = z.object({
  status: z.string(),
  challenges: z.array(challenge),
});
export type Authorization = z.infer<typeof authorization>;

/** A chain (RFC 8555, 9.1): PEM, the name's own certificate first. */
export const chain = z.string().regex(/^\s*-----BEGIN CERTIFICATE-----/);

/** The authority's words for a person: what it says as a whole, then of each part. */
export function wordsOf({ type, detail, subproblems = [] }: Problem): string {
  const texts = [detail, ...subproblems.map((each) => each.detail)];
  return texts.filter((text) => text !== undefined && text !== '').join('; ') || type;
}
