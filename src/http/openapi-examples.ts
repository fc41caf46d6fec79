/** Requests and answers of real runs, by operation, for the API's document: src/dev/contract/examples.ts wrote them. */
import { readFileSync } from 'node:fs';

export interface FurtherRequest {
  /** `times.weekdays` */
  shows: string[];
  request: unknown;
}

export interface OperationExample {
  /** Its body. */
  request?: unknown;
  /** Further bodies, each for fields that none before shows. */
  more?: FurtherRequest[];
  /** The body of its success; of a file its text. */
  answer?: unknown;
}

let examples: Record<string, OperationExample> | undefined;

/** Undefined for an operation that has none. */
export function exampleOf(operationId: string): OperationExample | undefined {
  const file = new URL('openapi-examples.json', import.meta.url);
  examples ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, OperationExample>;
  return examples[operationId];
}

/** As a body of the document has them: the only one, or each under a name of its own. */
export function requestExamples({ request, more = [] }: OperationExample) {
  if (more.length === 0) return request === undefined ? {} : { example: request };
  const named = more.map(({ shows, request: value }) => {
    // A field says enough of what is in it.
    const outer = shows.filter((field) => !shows.some((each) => field.startsWith(`${each}.`)));
    const [first = ''] = outer;
    return [first, { summary: `With ${listed(outer)}`, value }] as const;
  });
  return { examples: { first: { value: request }, ...Object.fromEntries(named) } };
}

const MAX_LISTED = 4;

function listed(fields: readonly string[]): string {
  const rest = fields.length - MAX_LISTED;
  const words = [...fields.slice(0, MAX_LISTED), ...(rest > 0 ? [`${rest} more`] : [])];
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
