/** The documents that people read, as the tests of them see them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Document {
  /** Relative to the repository. */
  path: string;
  text: string;
}

/** All Markdown of the top folder and of docs/. */
export async function readDocuments(): Promise<Document[]> {
  const top = (await readdir(root)).filter((name) => name.endsWith('.md'));
  const docs = (await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return Promise.all(
    [...top, ...docs].map(async (path) => ({
      path,
      text: await readFile(join(root, path), 'utf8'),
    })),
  );
}

/** Texts of all sources in these folders, joined. */
export async function readSources(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      const files = names.filter((name) => /\.(m?ts|sh)$/.test(name));
      return Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')));
    }),
  );
  return texts.flat().join('\n');
}
