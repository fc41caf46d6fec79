/** What a client is told, once and for each call. */
export interface Settings {
  /** Such as `https://outreach.example.com`. */
  baseUrl: string;
  /** An API key (`svc_...`), or a JSON Web Token of the web application. */
  apiKey: string;
  /** Default: the platform's own. */
  fetch?: typeof globalThis.fetch;
  /** How often a request is repeated. Default: 4. */
  retries?: number;
  /** The longest that a `Retry-After` is waited for; a longer one is an error at once. Default: 60. */
  maxRetryAfterSeconds?: number;
  /** Of one try. Default: 60. */
  timeoutSeconds?: number;
}

export interface CallOptions {
  /** Ends the call, also while it waits. */
  signal?: AbortSignal | undefined;
  /** Of a POST. Default: one made for this call, the same for all its tries. */
  idempotencyKey?: string | undefined;
}
