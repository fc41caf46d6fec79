/** Wakes who waits for something to end, however many things are under way. */

export interface Bell {
  /** Ends the wait; one that is not waiting yet will not wait. */
  ring: () => void;
  /** Until it rings, or so long. */
  wait: (ms: number) => Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: () => void = () => undefined;
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (hasRung) resolve();
        else timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      hasRung = false;
    },
  };
}
