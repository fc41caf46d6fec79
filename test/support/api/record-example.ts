/**
 * Writes down what tests ask and get, as lines of JSON in the folder that `RECORD_EXAMPLES` names, for
 * `npm run openapi -- --examples`. Nothing without it.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../../src/dev/contract/examples.ts';

const folder = process.env['RECORD_EXAMPLES'];

export function recordExample(exchange: Exchange): void {
  if (folder === undefined || exchange.status >= 300) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(exchange)}\n`);
}
