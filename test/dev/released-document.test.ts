/** What a release keeps of the API's document, in a repository of its own. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unaccepted } from '../../src/dev/contract/accepted-changes.ts';
import { buildDocument, textOf } from '../../src/dev/contract/built-document.ts';
import {
  keepDocument,
  keptText,
  untrueOfVersion,
} from '../../src/dev/contract/released-document.ts';
import { version } from '../../src/domain/version.ts';

const run = promisify(execFile);
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outreach-document-'));
  await mkdir(join(root, 'docs'));
  await git('init', '--quiet');
  await commit(documentOf({ a: 'string' }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], {
    cwd: root,
  });
const write = (text: string) => writeFile(join(root, 'docs/openapi.json'), text);
const kept = () => readFile(join(root, 'docs/openapi.json'), 'utf8');

async function commit(text: string): Promise<void> {
  await write(text);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Change the document');
}

/** One operation that answers with these fields. */
function documentOf(fields: Record<string, string>): string {
  const named = Object.entries(fields).map(([name, type]) => [name, { type }]);
  const schema = { type: 'object', properties: Object.fromEntries(named) };
  const responses = { 200: { description: 'Yes', content: { 'application/json': { schema } } } };
  const get = { operationId: 'things.read', tags: [], security: [], responses };
  return JSON.stringify({ paths: { '/things': { get } }, webhooks: {}, components: {} });
}

describe('docs/openapi.json', () => {
  it('is what a release keeps: written where the API has more, left where it has not', async () => {
    const more = documentOf({ a: 'string', b: 'string' });
    expect(await keepDocument(root, more, '1.0.0')).toBe(true);
    expect(await kept()).toBe(more);
    expect(await keepDocument(root, more, '1.0.0')).toBe(false);
  });

  it('is not written where clients would miss something, before the first release, too', async () => {
    const less = documentOf({ b: 'string' });
    await expect(keepDocument(root, less, '1.0.0')).rejects.toThrow(
      'breaks clients: things.read: answer.a is gone',
    );
    expect(await kept()).toBe(documentOf({ a: 'string' }));
  });

  it('stays as it was released until the version is raised', async () => {
    await git('tag', 'v1.0.0');
    const more = documentOf({ a: 'string', b: 'string' });
    await expect(keepDocument(root, more, '1.0.0')).rejects.toThrow('raise the version first');
    expect(await keepDocument(root, documentOf({ a: 'string' }), '1.0.0')).toBe(false);
    expect(await keepDocument(root, more, '1.1.0')).toBe(true);
  });

  it('is held against the last release, whatever was written since then', async () => {
    await git('tag', 'v1.0.0');
    const less = documentOf({ b: 'string' });
    await commit(less);
    await expect(keepDocument(root, less, '1.1.0')).rejects.toThrow('answer.a is gone');
  });
});

describe('the document of a version', () => {
  const of = (named: string, fields = {}) =>
    JSON.stringify({ info: { version: named }, ...JSON.parse(documentOf(fields)) });

  it('is the API, to the letter', () => {
    const text = of('1.1.0', { a: 'string', b: 'string' });
    expect(untrueOfVersion(text, text, '1.1.0')).toEqual([]);
    expect(untrueOfVersion(of('1.1.0', { a: 'string' }), text, '1.1.0')).toEqual([
      expect.stringContaining('is not the API of 1.1.0'),
    ]);
  });

  it('may be of an earlier release', () => {
    const text = of('1.2.0', { a: 'string', b: 'string' });
    expect(untrueOfVersion(of('1.1.0', { a: 'string' }), text, '1.2.0')).toEqual([]);
  });

  it('is so here', async () => {
    const here = fileURLToPath(new URL('../..', import.meta.url));
    expect(untrueOfVersion(await keptText(here), textOf(buildDocument()), version)).toEqual([]);
  });
});

describe('a breaking change', () => {
  const accepted = [{ version: '1.1.0', change: 'x is gone', why: 'Nobody could call it' }];

  it('may be accepted for one version, by its sentence', () => {
    expect(unaccepted(['x is gone', 'y is gone'], accepted, '1.1.0')).toEqual([
      'breaks clients: y is gone',
    ]);
  });

  it('is named again in the next one', () => {
    expect(unaccepted([], accepted, '1.2.0')).toEqual([
      'accepted for 1.1.0, which is not 1.2.0: x is gone',
    ]);
  });
});
