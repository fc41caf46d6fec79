/** The clock of this process in the hands of a test: what lasts a while by it waits for the test alone. */
import { onTestFinished, vi } from 'vitest';

export interface TakenClock {
  /** Stands still from now on; timers go on. */
  stop(): void;
  /** Is later by so much from now on. */
  pass(ms: number): void;
  /** Tells the true time again, as it does at the end of the test. */
  giveBack(): void;
}

/** `Date.now` alone: not `new Date()`, nor timers. */
export function takeClock(): TakenClock {
  const real = Date.now.bind(Date);
  let stoppedAt: number | undefined;
  let passedMs = 0;
  const told = vi.spyOn(Date, 'now').mockImplementation(() => (stoppedAt ?? real()) + passedMs);
  const giveBack = () => told.mockRestore();
  onTestFinished(giveBack);
  return {
    stop: () => void (stoppedAt = real()),
    pass: (ms) => void (passedMs += ms),
    giveBack,
  };
}
