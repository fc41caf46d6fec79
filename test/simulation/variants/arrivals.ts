/** Which messages have certainly arrived, and the product knows it: by what was seen at the mail servers. */
import type { RawMessage } from '../../../src/providers/mail-transport/port.ts';
import type { Fate } from '../mail-server.ts';
import { messageIdOf } from '../message-content.ts';

export interface Arrivals {
  note: (message: RawMessage, fate: Fate, at: number) => void;
  /** A process has died, or another one has its work. */
  noteDeath: (at: number) => void;
  /** Its server took it, and no process died at that moment: it may have been the one that sent it. */
  isSure: (message: { messageId: string; at: number }) => boolean;
}

export function createArrivals(): Arrivals {
  const taken = new Set<string>();
  const deaths = new Set<number>();
  return {
    note(message, fate, at) {
      if (fate.startsWith('dies_')) deaths.add(at);
      if (fate === 'taken') taken.add(messageIdOf(message));
      // An earlier attempt may have ended before its text.
      else taken.delete(messageIdOf(message));
    },
    noteDeath: (at) => void deaths.add(at),
    isSure: ({ messageId, at }) => taken.has(messageId) && !deaths.has(at),
  };
}
