/**
 * Bounded concurrency over items that come one by one. Our own, because p-queue would take an item
 * before there is capacity for it, which counts it as asked, and p-map does not wait for what is in
 * flight when it fails.
 */

/**
 * Works on `items`, at most `limit` at a time. After the first error no more items are taken; it is
 * thrown when everything in flight has ended, so that nothing goes on unseen.
 */
export async function inParallel<T>(
  limit: number,
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failure: { error: unknown } | undefined;
  let taking: Promise<unknown> = Promise.resolve();
  const take = () => {
    // Calls to a generator must not overlap.
    const next = taking.then(() => iterator.next());
    taking = next.catch(() => undefined);
    return next;
  };
  const worker = async () => {
    while (failure === undefined) {
      try {
        const next = await take();
        if (next.done) return;
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure !== undefined) throw failure.error;
}
