/**
 * `npm run openapi -- --check`: is the API's document clean, and does it keep what was released?
 * `--client` writes what follows from it: files of clients/typescript, docs/postman.json and the code samples of
 * the reference page. `--released` writes docs/openapi.json, the document of this version. `--examples` writes src/http/openapi-examples.json.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { version } from '../../domain/version.ts';
import { unaccepted } from './accepted-changes.ts';
import { breakingChanges } from './breaking-changes.ts';
import { buildDocument, textOf } from './built-document.ts';
import { COLLECTION, collectionText } from './collection.ts';
import { chooseExamples } from './examples.ts';
import { lint } from './lint.ts';
import { keepDocument, keptText, releasedDocument, untrueOfVersion } from './released-document.ts';
import type { ContractDocument } from './schema.ts';
import { clientFiles } from './typescript-client.ts';
import { SAMPLES, samplesText } from './typescript-samples.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLES = new URL('../../http/openapi-examples.json', import.meta.url);

const { check, client, released, examples } = new Command('openapi')
  .option('--check', 'lint the document and hold it against the released one')
  .option('--client', 'write files of clients/typescript, docs/postman.json, and samples of code')
  .option('--examples <folder>', 'choose examples from what runs of the tests wrote to this folder')
  .option(
    '--released',
    'write docs/openapi.json, the document of this version, which a release keeps',
  )
  .parse()
  .opts<{ check?: true; client?: true; released?: true; examples?: string }>();

const document = buildDocument();
const contract = document as unknown as ContractDocument;
if (examples !== undefined) {
  const chosen = await chooseExamples(contract, examples);
  await writeFile(EXAMPLES, `${JSON.stringify(chosen, null, 1)}\n`);
}
if (released) await keepDocument(root, textOf(document), version).catch(refuse);
if (client) {
  for (const [file, text] of await generatedFiles()) await writeFile(file, text);
}
if (check) report(await problems());
if (!check && !client && !released && examples === undefined)
  process.stdout.write(textOf(document));

async function problems(): Promise<string[]> {
  const before = await releasedDocument(root);
  return [
    ...(await lint(textOf(document))),
    ...unaccepted(breakingChanges(before, contract)),
    ...untrueOfVersion(await keptText(root), textOf(document), version),
    ...(await staleFiles()),
  ];
}

async function generatedFiles(): Promise<Map<URL, string>> {
  return new Map([
    ...(await clientFiles(contract)),
    [COLLECTION, collectionText(contract)],
    [SAMPLES, await samplesText(contract)],
  ]);
}

async function staleFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const [file, text] of await generatedFiles()) {
    const written = await readFile(file, 'utf8').catch(() => '');
    if (written !== text) stale.push(`${file.pathname} is stale: npm run openapi -- --client`);
  }
  return stale;
}

function refuse(error: Error): void {
  console.error(error.message);
  process.exitCode = 1;
}

function report(found: readonly string[]): void {
  for (const problem of found) console.error(problem);
  if (found.length > 0) process.exitCode = 1;
  else console.log('The document of the API is clean');
}
