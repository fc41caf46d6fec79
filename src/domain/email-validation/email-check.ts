/** What is known about an e-mail address, and the one way to ask. Choices 29, 59. */

export type EmailStatus = 'valid' | 'risky' | 'invalid' | 'unknown' | 'pending';

/** Null = could not be told. Choice 29. */
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
  /** A word for programs: `mailbox_exists`, `catch_all`, `syntax`, `no_mx`, `greylisted`, ... */
  reason: string;
  checks: EmailFacts;
  /** `gmail.com` for `gmial.com`: the whole address as it was probably meant. */
  suggestion: string | null;
  /** ISO 8601 UTC. */
  checkedAt: string;
}

/**
 * Checks addresses: kept results first, then our own checks, then a verifier. It never throws for
 * an address or a verifier's trouble (`unknown` with the reason); only an abort ends it early.
 */
export interface EmailChecker {
  /** Answers by address as given; `onResult` is told as each becomes known. */
  check(
    emails: readonly string[],
    options?: {
      signal?: AbortSignal | undefined;
      /** Asks a verifier once more about addresses whose kept result is `unknown`. */
      again?: boolean | undefined;
      onResult?: ((given: string, check: EmailCheck) => void | Promise<void>) | undefined;
    },
  ): Promise<Map<string, EmailCheck>>;
}
