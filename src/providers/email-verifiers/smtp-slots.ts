/** Limits of connections at once: to one provider from all processes, and in total from this one. */
import PQueue from 'p-queue';
import type { ProbePlaces } from '../../domain/email-validation/probe-places.ts';
import { beginWait } from '../../tracing/waits.ts';

export interface Slots {
  /**
   * Runs `work` when a slot is free at `provider` and in total; not at all where it `isOver` by then,
   * or where the provider is `resting`.
   */
  run(
    provider: string,
    options: { isOver: () => boolean; signal: AbortSignal },
    work: () => Promise<void>,
  ): Promise<'done' | 'resting'>;
}

export function createSlots(
  places: ProbePlaces,
  limits: { perProvider: number; inAll: number },
): Slots {
  const { perProvider: limit, inAll } = limits;
  const all = new PQueue({ concurrency: inAll });
  const byProvider = new Map<string, PQueue>();
  return {
    async run(provider, { isOver, signal }, work) {
      const own = byProvider.get(provider) ?? new PQueue({ concurrency: limit });
      byProvider.set(provider, own);
      const end = beginWait(`a place for a check at ${provider}`);
      const begun = () => {
        end();
        return work();
      };
      const enter = async () =>
        isOver() ? 'done' : places.at(provider, { limit, signal }, () => all.add(begun));
      try {
        return await own.add(enter);
      } finally {
        end();
        if (own.size === 0 && own.pending === 0) byProvider.delete(provider);
      }
    },
  };
}
