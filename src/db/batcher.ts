/** Questions that come one by one and are cheaper to ask together. */

/** What bounds a batch, and what becomes of the others where one of them is at fault. */
export interface BatchRules<Item> {
  /** What one batch takes, in the unit of `weigh`; what is more waits for the next. Else all who wait. */
  most?: number;
  /** 1 unless told. What weighs more than `most` goes by itself. */
  weigh?: (item: Item) => number;
  /** Whether a failure that had no effect may be one item's: each of the batch is then tried alone. */
  isOfOne?: (error: unknown) => boolean;
}

interface Waiting<Item, Answer> {
  item: Item;
  weight: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects items while the batch before them is under way, so batches grow with the load and a
 * single item waits for nobody. `work` answers for each item, in order; one `work` runs at a time.
 */
export function createBatcher<Item, Answer>(
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { most = Infinity, weigh = () => 1, isOfOne = () => false }: BatchRules<Item> = {},
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let isUnderWay = false;

  const next = (): Waiting<Item, Answer>[] => {
    let sum = 0;
    const tooMuch = waiting.findIndex(({ weight }) => (sum += weight) > most);
    return waiting.splice(0, tooMuch === -1 ? waiting.length : Math.max(tooMuch, 1));
  };

  const carryOut = async (batch: Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) {
        for (const one of batch) await carryOut([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await carryOut(next());
    isUnderWay = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, weight: weigh(item), resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      // Later in this turn, so that what several sockets bring at once goes together.
      setImmediate(() => void run());
    });
}
