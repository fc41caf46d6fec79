/** The glossary explains each of its words once, in a sentence, and says where to begin. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readDocuments, type Document } from './documents.ts';

let documents: Document[];
let rows: string[][];

const textOf = (path: string) => documents.find((document) => document.path === path)?.text ?? '';

beforeAll(async () => {
  documents = await readDocuments();
  rows = [...textOf('docs/glossary.md').matchAll(/^\| (.+) \|$/gm)]
    .map(([, row]) => row!.split(' | ').map((cell) => cell.trim()))
    .filter(([word]) => word !== 'word' && !/^-+$/.test(word!));
});

describe('the glossary', () => {
  it('is found from where a newcomer begins', () => {
    for (const path of ['README.md', 'ARCHITECTURE.md']) {
      expect(textOf(path)).toContain('](docs/glossary.md)');
    }
  });

  it('has 30 words, each once, with what it is and one link', () => {
    const words = rows.map(([word]) => word);
    expect(words).toHaveLength(30);
    expect(new Set(words).size).toBe(words.length);
    const odd = rows.filter(
      ([, meaning = '', link = '']) =>
        meaning.length < 20 ||
        /[.!?] /.test(meaning) ||
        !/^\[[^\]]+\]\(\.\.\/[^)]+\.(ts|md)(#[^)]+)?\)$/.test(link),
    );
    expect(odd).toEqual([]);
  });
});
