/**
 * How often a client may ask the API: so many requests a minute and an hour, for each key or, without
 * one, each user. The numbers are settings (`RATE_LIMIT_PER_MINUTE`, `RATE_LIMIT_PER_HOUR`),
 * `src/db/accounts/request-admission.ts` counts in Postgres, `src/http/rate-limit.ts` writes the headers
 * and the 429 and counts by itself while Postgres is down. What vendors take is in vendor-limits.ts.
 * Choice 48.
 */

/** The key behind a secret, as stored. */
export interface KeyRow {
  keyId: string;
  userId: string;
  scopes: readonly string[];
  ipWhitelist: readonly string[];
}

/** State of a subject's two windows after a request. */
export interface Charge {
  granted: boolean;
  minute: WindowState;
  hour: WindowState;
}

export interface WindowState {
  limit: number;
  used: number;
  /** Whole seconds until the window starts anew, at least 1. */
  resetSeconds: number;
}

export interface Limits {
  perMinute: number;
  perHour: number;
}

/** Looks keys up and counts requests, in as few statements as exactness allows. */
export interface RequestAdmission {
  /** Undefined for an unknown or expired secret. A key with a whitelist is not charged here. */
  admitKey(hash: Buffer): Promise<{ key: KeyRow; charge: Charge | undefined } | undefined>;
  charge(subject: string): Promise<Charge>;
  close(): Promise<void>;
}
