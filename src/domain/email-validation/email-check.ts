/** The result of checking an e-mail address, and the interface for checks. Choices 29, 59. */

export type EmailStatus = 'valid' | 'risky' | 'invalid' | 'unknown' | 'pending';

/** Null = unknown. Choice 29. */
export interface EmailFacts {
  syntax: boolean;
  mx: boolean | null;
  disposable: boolean | null;
  role: boolean | null;
  free: boolean | null;
  catchAll: boolean | null;
  smtp: boolean | null;
  fullInbox: boolean | null;
  disabled: boolean | null;
}

export interface EmailCheck {
  /** Trimmed; domain lower case and in punycode where the syntax is right. */
  email: string;
  status: EmailStatus;
  /** 0-100. */
  score: number;
  /** Score of at least 70 and not invalid. */
  isValid: boolean;
  /** A code for programs: `mailbox_exists`, `catch_all`, `syntax`, `no_mx`, `greylisted`, ... */
  reason: string;
  checks: EmailFacts;
  /** `gmail.com` for `gmial.com`: the whole address as probably intended. */
  suggestion: string | null;
  /** ISO 8601 UTC. */
  checkedAt: string;
}

/**
 * Checks addresses: stored results first, then our own checks, then a verifier. Never throws for an address
 * or a verifier's failure (`unknown` with the reason); only an abort ends it early.
 */
export interface EmailChecker {
  /** Returns results by address as given; `onResult` is called as each becomes known. */
  check(
    emails: readonly string[],
    options?: {
      signal?: AbortSignal | undefined;
      /** Asks a verifier again about addresses whose stored result is `unknown`. */
      again?: boolean | undefined;
      /** Verifiers are asked although they rest, where their rest began before this. */
      restsFrom?: Date | undefined;
      onResult?: ((given: string, check: EmailCheck) => void | Promise<void>) | undefined;
    },
  ): Promise<Map<string, EmailCheck>>;
}
