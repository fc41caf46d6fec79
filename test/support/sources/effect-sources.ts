/** What a table of effects is held against: the sources of one door to the API, and the API's operations. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDocument } from '../../../src/dev/contract/built-document.ts';
import { root } from '../../docs/documents.ts';
import { operationsOf } from '../api/request-fuzzer.ts';
import type { SourceFile } from './import-check.ts';

export interface EffectSources {
  files: SourceFile[];
  operationIds: string[];
  /** Those that are no GET. */
  writing: Set<string>;
}

/** `folder`: from the root of the repository. */
export async function readEffectSources(folder: string): Promise<EffectSources> {
  const names = await readdir(join(root, folder), { recursive: true });
  const files = names
    .filter((name) => name.endsWith('.ts'))
    .map(async (name) => ({
      path: `${folder}/${name}`,
      text: await readFile(join(root, folder, name), 'utf8'),
    }));
  const operations = operationsOf(buildDocument());
  const writing = operations.filter(({ method }) => method !== 'GET');
  return {
    files: await Promise.all(files),
    operationIds: operations.map(({ operationId }) => operationId),
    writing: new Set(writing.map(({ operationId }) => operationId)),
  };
}
