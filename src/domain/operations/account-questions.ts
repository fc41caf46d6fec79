/** What `outreach doctor` asks of vendors and of the network: each question costs nothing. */

/**
 * - `ok`: as it has to be
 * - `warning`: it works, and somebody should know
 * - `failed`: an order or a message would meet it
 * - `not_askable`: no free question answers it; `found` says what shows it
 */
export type QuestionState = 'ok' | 'warning' | 'failed' | 'not_askable';

export interface AccountAnswer {
  state: QuestionState;
  /** One sentence, without a secret. */
  found: string;
  /** What a person does about it, in one sentence; of `failed` and `warning`. */
  cure?: string | undefined;
}

/** One question; `ask` may throw a `ProviderError`, which fails it. It changes nothing that lasts. */
export interface AccountQuestion {
  /** Such as `token`; docs/providers/README.md#what-outreach-doctor-asks says what each means. */
  name: string;
  ask: () => Promise<AccountAnswer>;
}

/** What vendors have to know of the installation. */
export interface InstallationFacts {
  /** `PUBLIC_URL`: where vendors reach the API. */
  publicUrl: string;
}

/** What every port of a vendor may offer. */
export interface AskableAccount {
  /** MUST NOT order or pay anything, and MUST leave nothing behind. */
  accountQuestions?(installation: InstallationFacts): readonly AccountQuestion[];
}

export const fine = (found: string): AccountAnswer => ({ state: 'ok', found });

export const wrong = (found: string, cure: string): AccountAnswer => ({
  state: 'failed',
  found,
  cure,
});
