/** The port of e-mail verifiers: does a mailbox exist. Adapters obey each MUST. */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

export type VerdictStatus = 'valid' | 'risky' | 'invalid' | 'unknown';

/** What a verifier found out; null = it cannot say. */
export interface VerifierVerdict {
  status: VerdictStatus;
  /** One of our codes: `mailbox_exists`, `catch_all`, `mailbox_not_found`, `greylisted`, ... */
  reason: string;
  catchAll: boolean | null;
  smtp: boolean | null;
  fullInbox: boolean | null;
  disabled: boolean | null;
  disposable: boolean | null;
}

export interface VerifierResult {
  email: string;
  verdict: VerifierVerdict;
}

/**
 * Greylisting and refusals of the probe itself (blocklists, 5xx at connect) MUST give `unknown`,
 * never `invalid`. A vendor without credits MUST throw `quota`; a closed port 25 MUST throw
 * `auth` with an operatorHint that says so.
 */
export interface EmailVerifier extends AskableAccount {
  readonly name: string;
  /**
   * Every address gets one result; `onResult` is called as each becomes known, also once `signal` has aborted where an
   * answer was on its way. What is paid for when it is sent MUST be waited for.
   */
  verify(
    emails: readonly string[],
    options: { onResult: (result: VerifierResult) => void | Promise<void>; signal?: AbortSignal },
  ): Promise<void>;
}
