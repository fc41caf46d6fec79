/** How a client's command fails: the code, the words, the fields and the id of the request; never a secret. */
import { isOutreachError, OutreachConnectionError } from '../../../clients/typescript/src/index.ts';
import { CommandEnd, EXIT, printable } from '../io.ts';

/** What helps, by the API's code. */
const NEXT: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'The API key is wrong or has expired: `outreach login` with another one.',
  IP_NOT_ALLOWED: 'The API key may not be used from this address.',
  SCOPE_REQUIRED: 'The API key may not do this; `outreach whoami` shows what it may.',
  JWT_REQUIRED: 'No API key may do this: the web application can.',
  INSUFFICIENT_BALANCE: '`outreach wallet fund` opens a checkout page.',
};

/** What a command ends with; anything but what the API or the network say stays as it is. */
export function failureOf(error: unknown, { apiKey, hint }: FailureFacts): unknown {
  const clean = (text: string) => printable(text.replaceAll(apiKey, '***'));
  if (isOutreachError(error)) {
    const { code, message, details, requestId, status } = error;
    const lines = [
      clean(`${code}: ${message}`),
      ...details.map((detail) => `  ${clean(detailOf(detail))}`),
      ...(NEXT[code] === undefined ? [] : [NEXT[code]]),
      ...(status >= 500 && hint !== undefined ? [hint] : []),
      ...(requestId === undefined ? [] : [`Request: ${clean(requestId)}`]),
    ];
    return new CommandEnd(EXIT.failed, lines.join('\n'));
  }
  if (error instanceof OutreachConnectionError) {
    const lines = [clean(error.message), ...(hint === undefined ? [] : [hint])];
    return new CommandEnd(EXIT.failed, lines.join('\n'));
  }
  return error;
}

interface FailureFacts {
  apiKey: string;
  /** Where it is not known whether something was done. */
  hint?: string | undefined;
}

/** `domain: is required`, or whatever else a detail names. */
function detailOf({ field, message, ...rest }: Record<string, unknown>): string {
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${textOf(value)}`);
  const said = message === undefined ? [] : [textOf(message)];
  const words = [...said, ...facts].join(', ');
  return field === undefined ? words : `${textOf(field)}: ${words}`;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
