/** Stripe's lists: newest first, `limit`, `starting_after`, `ending_before`, `has_more`. */
import { z } from 'zod';

const MAX_LIMIT = 100;

export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: z.object({ gte: z.coerce.number().int().optional() }).optional(),
});

/** `all` in order of creation. */
export function listOf<T extends { id: string; created: number }>(
  url: string,
  all: T[],
  { limit, starting_after, ending_before, created }: z.infer<typeof listQuery>,
) {
  const newestFirst = all.filter((one) => one.created >= (created?.gte ?? 0)).toReversed();
  const indexOf = (id: string) => newestFirst.findIndex((object) => object.id === id);
  if (ending_before !== undefined) {
    const before = newestFirst.slice(0, Math.max(0, indexOf(ending_before)));
    return { object: 'list', url, data: before.slice(-limit), has_more: before.length > limit };
  }
  const after = starting_after === undefined ? 0 : indexOf(starting_after) + 1;
  const rest = newestFirst.slice(after);
  return { object: 'list', url, data: rest.slice(0, limit), has_more: rest.length > limit };
}
