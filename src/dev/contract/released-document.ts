/**
 * `docs/openapi.json`: the document that a release keeps, and that later ones are held against. Of the version that it
 * names it is the whole of the API: while a version is made, this file follows, and with its tag it stays.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unaccepted } from './accepted-changes.ts';
import { breakingChanges } from './breaking-changes.ts';
import type { ContractDocument } from './schema.ts';

const run = promisify(execFile);
const FILE = 'docs/openapi.json';
const MAX_OUTPUT_BYTES = 1 << 26;

export const keptText = (root: string): Promise<string> => readFile(join(root, FILE), 'utf8');

export const releasedDocument = async (root: string): Promise<ContractDocument> =>
  JSON.parse(await keptText(root)) as ContractDocument;

/** What is untrue of the kept text, where this one is the API of this version; empty where it is of an earlier release. */
export function untrueOfVersion(kept: string, text: string, version: string): string[] {
  const { info } = JSON.parse(kept) as ContractDocument;
  if (info.version !== version || kept === text) return [];
  return [
    `${FILE} is not the API of ${version}, which it names: npm run openapi -- --released; ` +
      `where ${version} has its tag, raise the version first`,
  ];
}

/**
 * Makes this text the one that is kept; answers whether it was another one. Throws where the version was released with
 * another one already, or where it breaks what the last release promised. The tags say what was released.
 */
export async function keepDocument(root: string, text: string, version: string): Promise<boolean> {
  const tag = await lastTag(root);
  const kept = await keptText(root);
  const before = tag === undefined ? kept : await git(root, 'show', `${tag}:${FILE}`);
  if (tag === `v${version}` && before !== text) {
    throw new Error(`${version} was released with another ${FILE}: raise the version first`);
  }
  const [was, is] = [before, text].map((each) => JSON.parse(each) as ContractDocument);
  const broken = unaccepted(breakingChanges(was!, is!));
  if (broken.length > 0) {
    throw new Error(`${FILE} cannot change as the API did.\n${broken.join('\n')}`);
  }
  if (kept === text) return false;
  await writeFile(join(root, FILE), text);
  return true;
}

/** That of the last release before this commit, or at it. */
async function lastTag(root: string): Promise<string | undefined> {
  const tags = await git(root, 'tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-v:refname');
  return tags.split('\n')[0] || undefined;
}

async function git(root: string, ...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}
