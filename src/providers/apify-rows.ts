/** Rows of an actor's dataset. Actors are unofficial: a field may change its form any day. */
import type { z } from 'zod';
import { ProviderError } from '../domain/errors.ts';

/** So many results of which none is understood are no accident. */
const STRANGE_ROWS = 5;

/**
 * The rows that are understood. Throws `rejected` where a page has results and none is: the search would end as one
 * that found nothing, and be paid for.
 */
export function readRows<S extends z.ZodType>(
  provider: string,
  items: readonly unknown[],
  { row, isResult }: { row: S; isResult: (item: Record<string, unknown>) => boolean },
): z.infer<S>[] {
  const parsed = items.map((item) => row.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (read.length > 0) return read;
  const strange = items.filter((item) => isResult(item as Record<string, unknown>));
  if (strange.length < STRANGE_ROWS) return [];
  const problem = parsed[items.indexOf(strange[0])]!.error?.issues[0];
  const where = `${problem?.path.join('.')}: ${problem?.message}`;
  throw new ProviderError('rejected', `${provider}: no row of the actor is understood (${where})`, {
    provider,
    providerCode: 'unknown_rows',
    operatorHint: 'The actor writes other rows than before: look for a new version of Outreach.',
  });
}
