/** The contract of what all processes share of the built-in probe; `src/db/email-validation/probe-places.ts` fulfils it. */

/** Connections to mail providers, and which of them are left alone. A provider goes by its name. */
export interface ProbePlaces {
  /**
   * Runs `work` while it has one of `limit` places at the provider, and waits for one; not at all
   * where the provider is left alone by then.
   */
  at(
    provider: string,
    options: { limit: number; signal: AbortSignal },
    work: () => Promise<void>,
  ): Promise<'done' | 'resting'>;
  isResting(provider: string): Promise<boolean>;
  /** It says that our address is listed: it is left alone, longer each time. */
  rest(provider: string): Promise<void>;
}
