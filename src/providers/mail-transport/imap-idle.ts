/** Waiting in IDLE (RFC 2177): ends with a change, the time, or a signal. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';

/** Responses that the server sends unasked. */
const CHANGES = ['exists', 'expunge', 'flags'] as const;

/** A wait that has not ended by then is told again to end. */
const STOP_AGAIN_MS = 1_000;

/** A server that has not answered the end of a wait by then is left, well before the session is taken for one that hangs. */
const LONGEST_END_MS = 20_000;

export interface Watch {
  /** Forgets the changes so far: they have been seen. */
  reset(): void;
  /** `changed` when the selected folder has changed since `reset`. The signal ends the wait only. */
  wait(limitMs: number, signal?: AbortSignal): Promise<'changed' | 'over'>;
  /** False where the server has no IDLE, or refuses it. */
  tellsChanges(): boolean;
}

/** Records changes also between two waits, so none is missed. */
export function watchFolder(client: ImapFlow, timeoutMs: number): Watch {
  const endMs = Math.min(timeoutMs, LONGEST_END_MS);
  let hasChanged = false;
  let isRefused = false;
  let stop = () => undefined as void;
  for (const change of CHANGES) {
    client.on(change, () => {
      hasChanged = true;
      stop();
    });
  }
  return {
    reset: () => void (hasChanged = false),
    tellsChanges: () => client.capabilities.has('IDLE') && !isRefused,
    async wait(limitMs, signal) {
      const outcome = () => (hasChanged ? 'changed' : 'over');
      if (hasChanged || signal?.aborted) return outcome();
      const speakAgain = beQuiet(client);
      let again: NodeJS.Timeout | undefined;
      let late: NodeJS.Timeout | undefined;
      const told = new AbortController();
      let isPause = false;
      stop = () => {
        told.abort();
        if (isPause) return;
        // Any command ends IDLE; this one does nothing else.
        const end = () => void client.noop().catch(() => undefined);
        if (again === undefined) end();
        again ??= setInterval(end, STOP_AGAIN_MS);
        late ??= setTimeout(() => client.close(), endMs);
      };
      const timer = setTimeout(stop, limitMs);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const answer: unknown = await client.idle();
        if (!client.usable) throw new Error('the server hung up');
        isRefused = answer === false;
        // Refused, or ended by the server: it would be asked again at once, for ever.
        isPause = again === undefined;
        if (isPause)
          await sleep(limitMs, undefined, { signal: told.signal }).catch(() => undefined);
        return outcome();
      } finally {
        clearTimeout(timer);
        clearInterval(again);
        clearTimeout(late);
        speakAgain();
        signal?.removeEventListener('abort', stop);
        stop = () => undefined;
      }
    },
  };
}

/** imapflow takes a silent socket for a dead one, and asks in IDLE by NOOP, which ends it. While we wait, silence is no news. */
function beQuiet(client: ImapFlow): () => void {
  // It has no public name.
  const { socket } = client as unknown as { socket?: Socket };
  const limitMs = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  return () => void socket?.setTimeout(limitMs);
}
