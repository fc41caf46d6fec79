/** Requests and answers of real runs, by operation, for the API's document: src/dev/contract/examples.ts wrote them. */
import { readFileSync } from 'node:fs';

export interface OperationExample {
  /** Its body. */
  request?: unknown;
  /** The body of its success. */
  answer?: unknown;
}

let examples: Record<string, OperationExample> | undefined;

/** Undefined for an operation that has none. */
export function exampleOf(operationId: string): OperationExample | undefined {
  const file = new URL('openapi-examples.json', import.meta.url);
  examples ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, OperationExample>;
  return examples[operationId];
}
