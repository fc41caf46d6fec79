/** What a tool shows beside that which it is for: who cannot have it still gets the rest, and why this is missing. */
import { isOutreachError, OutreachConnectionError } from '../../clients/typescript/src/index.ts';

/** `not_permitted`: the key lacks the scope. `failed`: the API refuses, or does not answer in time. */
export const MISSING_REASONS = ['not_permitted', 'failed'] as const;
type MissingReason = (typeof MISSING_REASONS)[number];

/** Callers give up before a minute, and the rest is asked for, too. */
const LIMIT_MS = 10_000;

export type Beside<Answer> =
  { value: Answer; missing?: undefined } | { value: null; missing: MissingReason };

/** `ask` gets the signal that ends it. */
export async function beside<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Beside<Answer>> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    return { value: await ask(signal) };
  } catch (error) {
    if (isOutreachError(error, 'SCOPE_REQUIRED')) return { value: null, missing: 'not_permitted' };
    const isFailure = isOutreachError(error) || error instanceof OutreachConnectionError;
    if (isFailure || signal.aborted) return { value: null, missing: 'failed' };
    throw error;
  }
}
