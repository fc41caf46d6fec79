/**
 * The contract of the built-in probe's state shared by all processes;
 * `src/db/email-validation/probe-places.ts` implements it.
 */

/** Connections to mail providers, and paused providers. A provider is identified by its name. */
export interface ProbePlaces {
  /**
   * Runs `work` while holding one of `limit` slots at the provider, after waiting for one; does not run it
   * where the provider is paused by then. `pollMs`: how often it asks while it waits.
   */
  at(
    provider: string,
    options: { limit: number; signal: AbortSignal; pollMs?: number },
    work: () => Promise<void>,
  ): Promise<'done' | 'resting'>;
  isResting(provider: string): Promise<boolean>;
  /** The provider refuses our address as listed: it is paused, longer each time. */
  rest(provider: string): Promise<void>;
}
