/** How many connections there are at once: to one exchanger, and to all together. */
import PQueue from 'p-queue';

export interface Slots {
  /** Runs `work` when there is room at `exchanger` and in all. */
  run(exchanger: string, work: () => Promise<void>): Promise<void>;
}

export function createSlots(limits: { perExchanger: number; inAll: number }): Slots {
  const all = new PQueue({ concurrency: limits.inAll });
  const byExchanger = new Map<string, PQueue>();
  return {
    async run(exchanger, work) {
      const own = byExchanger.get(exchanger) ?? new PQueue({ concurrency: limits.perExchanger });
      byExchanger.set(exchanger, own);
      try {
        await own.add(() => all.add(work));
      } finally {
        if (own.size === 0 && own.pending === 0) byExchanger.delete(exchanger);
      }
    },
  };
}
