/** Whether the VPS vendors have a server to give. */
import { isMagic } from './magic-names.ts';
import type { Store } from './store.ts';

export interface Capacity {
  /** Capacity by the door, or, where it has said nothing, by the magic name (`no-capacity-*`). */
  isAvailableFor(name: string | undefined): boolean;
  /** What the door said; undefined = nothing. */
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
