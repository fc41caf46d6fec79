/** Errors as the caller of a tool reads them: code, words, fields, and what to do next. Never a stack, never a secret. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isOutreachError, OutreachConnectionError } from '../../clients/typescript/src/index.ts';
import { ToolRefusal } from './refusal.ts';

/** What helps, by the API's code. */
const NEXT: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: 'fund_wallet opens a checkout page; wait_for it, then call this again.',
  NO_PAYMENT_METHOD: 'fund_wallet opens a checkout page.',
  UNAUTHORIZED: 'The API key of this server is wrong or expired: the user has to set another one.',
  SCOPE_REQUIRED: 'The API key lacks this scope: the user has to make a key that has it.',
  JWT_REQUIRED: 'An API key cannot do this: the user does it in the web application.',
  IP_NOT_ALLOWED: 'The API key may not be used from here: the user has to allow the address.',
  RATE_LIMITED: 'Wait a minute, then call this again.',
  DOMAIN_UNAVAILABLE: 'quote_cluster with a keyword suggests names that can be bought.',
  DOMAIN_SPENDING_LIMIT: 'Wait until the time in the details.',
  CAMPAIGN_NOT_READY:
    'The details say what is missing: update_account, update_campaign or import_leads adds it.',
  RECIPIENT_SUPPRESSED: 'This address must not be written to. Do not try another way.',
  INVALID_STATE: 'Read its present state first; this is not possible in it.',
  VALIDATION_ERROR: 'Correct the fields in the details and call this again.',
  INVALID_INPUT: 'Correct the arguments and call this again.',
  MAIL_SERVER_NOT_READY: 'wait_for the cluster first.',
  IDEMPOTENCY_KEY_REUSED: 'Ask for a new quote.',
  ANSWER_ERASED: 'It was done already: read what there is now, and do not repeat this.',
};

const AGAIN = 'Nothing is lost: call this again in a minute, with the same arguments.';

interface ErrorFacts {
  code: string;
  message: string;
  /** The first field that is wrong. */
  field?: string | undefined;
  details?: readonly object[] | undefined;
  next: string;
  requestId?: string | undefined;
}

/** The result of a tool that failed. `log` gets what the caller is not told. */
export function errorResult(error: unknown, log: (line: string) => void): CallToolResult {
  const facts = factsOf(error, log);
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(facts) }] };
}

function factsOf(error: unknown, log: (line: string) => void): ErrorFacts {
  if (error instanceof ToolRefusal) {
    const { code, message, details, next } = error;
    const more = details.length > 0 && { details };
    return { code, message, field: fieldOf(details), ...more, next };
  }
  if (isOutreachError(error)) {
    const { code, message, status, requestId } = error;
    const details = error.details.slice(0, MOST_DETAILS);
    const more = details.length > 0 && { details };
    return {
      code,
      message,
      field: fieldOf(details),
      ...more,
      next: nextOf(code, status),
      requestId,
    };
  }
  if (error instanceof OutreachConnectionError) {
    log(error.message);
    return { code: 'NOT_REACHED', message: 'The API did not answer', next: AGAIN };
  }
  log(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return { code: 'INTERNAL', message: 'The tool failed; its log says why', next: AGAIN };
}

const MOST_DETAILS = 10;

const fieldOf = (details: readonly object[]): string | undefined =>
  details
    .map((one) => ('field' in one ? one.field : undefined))
    .find((one) => typeof one === 'string');

function nextOf(code: string, status: number): string {
  const known = NEXT[code];
  if (known !== undefined) return known;
  if (code.endsWith('_NOT_FOUND')) return 'List them first: there is none with this id.';
  return status >= 500 ? AGAIN : 'Tell the user what the message says.';
}
