/** How Stripe is asked: one call, and its lists page by page. docs.stripe.com/api/pagination */
import type Stripe from 'stripe';
import { ProviderError } from '../../domain/errors.ts';
import { traced, type SpanOptions } from '../../tracing/spans.ts';
import { toProviderError } from './stripe-errors.ts';

const SPAN: SpanOptions = { kind: 'CLIENT', attributes: { 'outreach.provider': 'stripe' } };

/** Runs a call; what it throws becomes a ProviderError. */
export async function answer<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await traced('stripe', SPAN, call);
  } catch (error) {
    throw toProviderError(error);
  }
}

/** The vendor's largest page. */
const PER_PAGE = 100;

/** What a request of a list says of its page. */
export interface PageParams {
  limit: number;
  starting_after?: string;
}

/**
 * Each page, the newest first, without what `read` answers null for. Ends only where the vendor says that nothing
 * follows: whoever compares a list that was cut takes what is missing for unpaid. Throws `unavailable` where the
 * vendor's pages do not lead to an end.
 */
export async function* everyPage<T extends { id: string }, U>(
  list: (page: PageParams) => Promise<Stripe.ApiList<T>>,
  read: (one: T) => U | null,
): AsyncGenerator<U[], void, undefined> {
  let after: string | undefined;
  for (;;) {
    const params = { limit: PER_PAGE, ...(after !== undefined && { starting_after: after }) };
    const { read: some, next } = await answer(async () => {
      const page = await list(params);
      return { read: page.data.map(read).filter((one) => one !== null), next: nextOf(page, after) };
    });
    yield some;
    if (next === undefined) return;
    after = next;
  }
}

/** After which object the next page begins; undefined = this was the last one. */
function nextOf<T extends { id: string }>(
  { data, has_more: hasMore }: Stripe.ApiList<T>,
  after: string | undefined,
): string | undefined {
  if (hasMore === false) return undefined;
  const last = data.at(-1)?.id;
  if (hasMore === true && last !== undefined && last !== after) return last;
  throw new ProviderError('unavailable', 'stripe: a list does not lead to its end', {
    provider: 'stripe',
  });
}
