/** Collects single requests that are cheaper to answer in a batch. */

/**
 * Collects items while the batch before them is under way, so batches grow with the load and a single
 * item is never delayed. `work` answers for each item, in order.
 */
export function createBatcher<Item, Answer>(
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let waiting: {
    item: Item;
    resolve: (answer: Answer) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let isUnderWay = false;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(() => void run());
    });
}
