/** Whether the VPS vendors have capacity. */
import { isMagic } from './magic-names.ts';
import type { Store } from './store.ts';

export interface Capacity {
  /** As set by the control API or, where it is not set, by the magic name (`no-capacity-*`). */
  isAvailableFor(name: string | undefined): boolean;
  /** The setting of the control API; undefined = not set. */
  setting(): boolean | undefined;
  set(available: boolean | undefined): void;
}

export function createCapacity(store: Store): Capacity {
  const setting = () => store.get<{ available: boolean }>('capacity', 'vps')?.available;
  return {
    setting,
    isAvailableFor: (name) => setting() ?? !isMagic('no-capacity', name),
    set(available) {
      if (available === undefined) store.delete('capacity', 'vps');
      else store.put('capacity', 'vps', { available });
    },
  };
}
