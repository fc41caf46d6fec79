/** What goes wrong: the API refuses, or is not reached. */
import type { ErrorCode } from './api.ts';

/** The API refused a request. `code` is for programs, `message` for people. */
export class OutreachError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'OutreachError';
  readonly status: number;
  readonly code: Code;
  /** Which fields, amounts or ids it is about. */
  readonly details: readonly Record<string, unknown>[];
  /** Names the request, for support. */
  readonly requestId: string | undefined;
  /** Of a POST: repeated with it, it has its effect once. */
  declare readonly idempotencyKey?: string | undefined;

  constructor(status: number, facts: ErrorFacts<Code>) {
    super(facts.error);
    this.status = status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
  }
}

interface ErrorFacts<Code> {
  error: string;
  code: Code;
  details?: Record<string, unknown>[] | undefined;
  requestId?: string | undefined;
}

/** Narrows what was caught to an error of the API, with one of the codes where some are given. */
export const isOutreachError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is OutreachError<Code> =>
  error instanceof OutreachError &&
  (codes.length === 0 || codes.some((code) => code === error.code));

/** No whole answer came, as often as it was tried; `cause` is the last reason. */
export class OutreachConnectionError extends Error {
  override readonly name = 'OutreachConnectionError';
  /** Of a POST, which may have been done: repeated with it, it has its effect once. */
  declare readonly idempotencyKey?: string | undefined;
}

/** An error of any form: a proxy before the API does not speak its envelope. */
export async function errorOf(response: Response): Promise<OutreachError> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? undefined;
  try {
    const body = JSON.parse(text) as Partial<ErrorFacts<ErrorCode>> | null;
    if (typeof body?.code === 'string') {
      return new OutreachError(response.status, {
        requestId,
        ...body,
        code: body.code,
        error: body.error ?? body.code,
      });
    }
  } catch {
    // Told below.
  }
  const error = `The answer was ${response.status}: ${text.slice(0, 200)}`;
  return new OutreachError(response.status, { error, code: `HTTP_${response.status}`, requestId });
}
