/** The package of the client: what it needs, how large it is, and that it has every operation. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../clients/typescript/src/operations.ts';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { operationsOf, type ContractDocument } from '../../src/dev/contract/schema.ts';
import { clientFiles } from '../../src/dev/contract/typescript-client.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const document = buildDocument() as unknown as ContractDocument;
const MAX_BYTES = 30_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-client-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the client', () => {
  it('compiles against the library of browsers alone, into little', async () => {
    const config = await readFile(join(root, 'clients/typescript/tsconfig.json'), 'utf8');
    const { compilerOptions } = JSON.parse(config) as { compilerOptions: Record<string, unknown> };
    expect(compilerOptions).toMatchObject({ types: [], lib: ['es2023', 'dom', 'dom.iterable'] });
    const tsc = join(root, 'node_modules/.bin/tsc');
    await run(tsc, ['-p', join(root, 'clients/typescript'), '--outDir', folder]);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.join('').length).toBeLessThan(MAX_BYTES);
    const imports = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)]);
    expect(imports.map(([, from]) => from).filter((from) => !from!.startsWith('./'))).toEqual([]);
  });

  it('runs as it was compiled', async () => {
    const index = pathToFileURL(join(folder, 'index.js')).href;
    const program = `const { createOutreach } = await import('${index}');
      console.log(typeof createOutreach({ baseUrl: 'http://x', apiKey: 'y' }).clusters.create);`;
    const { stdout } = await run('node', ['--input-type=module', '-e', program]);
    expect(stdout.trim()).toBe('function');
  });

  it('has every operation of the document that is one of clients', () => {
    const left = operationsOf(document)
      .map(({ operation }) => operation.operationId)
      .filter((id) => !(id in operations));
    expect(left).toEqual([
      'wallet.receiveEvent',
      'mailboxes.takeConsent',
      'recipientLinks.readUnsubscribePage',
      'recipientLinks.unsubscribe',
      'recipientLinks.resubscribe',
      'recipientLinks.track',
      'documentation.readForModels',
      'documentation.read',
    ]);
  });

  it('is what the document makes of it', async () => {
    for (const [file, text] of await clientFiles(document)) {
      expect(await readFile(file, 'utf8'), `${file.pathname}: npm run openapi -- --client`).toBe(
        text,
      );
    }
  });

  it('needs no package, and has the version of the product', async () => {
    const manifest = async (path: string) =>
      JSON.parse(await readFile(join(root, path), 'utf8')) as Record<string, unknown>;
    const own = await manifest('clients/typescript/package.json');
    expect(own).not.toHaveProperty('dependencies');
    expect(own['version']).toBe((await manifest('package.json'))['version']);
  });
});
