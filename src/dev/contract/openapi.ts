/**
 * `npm run openapi -- --check`: is the API's document clean, and does it keep what was released?
 * `--released` writes the document that is held against from now on.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { breakingChanges } from './breaking-changes.ts';
import { buildDocument, textOf } from './built-document.ts';
import { lint } from './lint.ts';
import type { ContractDocument } from './schema.ts';

const RELEASED = new URL('../../../docs/openapi.json', import.meta.url);

const { check, released } = new Command('openapi')
  .option('--check', 'lint the document and hold it against the released one')
  .option('--released', 'write docs/openapi.json: a release keeps what it says')
  .parse()
  .opts<{ check?: true; released?: true }>();

const document = buildDocument();
if (released) await writeFile(RELEASED, textOf(document));
if (check) report(await problems());
if (!check && !released) process.stdout.write(textOf(document));

async function problems(): Promise<string[]> {
  const before = JSON.parse(await readFile(RELEASED, 'utf8')) as ContractDocument;
  return [
    ...(await lint(textOf(document))),
    ...breakingChanges(before, document as unknown as ContractDocument).map(
      (change) => `breaks clients: ${change}`,
    ),
  ];
}

function report(found: readonly string[]): void {
  for (const problem of found) console.error(problem);
  if (found.length > 0) process.exitCode = 1;
  else console.log('The document of the API is clean');
}
