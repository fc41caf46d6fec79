/** Whatever a comment, a title of a test or a document cites stands in this repository. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { citationsOf, type Citation, type Source, type Targets } from './citations.ts';
import { readDocuments, root } from './documents.ts';

const FOLDERS = ['src', 'activities', 'workflows', 'migrations', 'test', 'bench'];
const FILES = ['.env.example', 'Dockerfile', 'docker-compose.yml', 'vitest.config.ts'];

/** Texts of others, which cite what they like, and the examples below. */
const NOT_OURS = /^test\/(?:corpus|replay\/histories)\/|^test\/docs\/citations(?:\.test)?\.ts$/;

let targets: Targets;
let sources: Source[];

beforeAll(async () => {
  const documents = await readDocuments();
  const benches = await readdir(join(root, 'bench'));
  targets = {
    exists: (path) =>
      existsSync(join(root, path)) || benches.some((name) => `bench/${name}`.startsWith(path)),
    documents: new Map(documents.map(({ path, text }) => [path, text])),
  };
  const folders = await Promise.all(FOLDERS.map(readFolder));
  sources = [...documents, ...(await Promise.all(FILES.map(readSource))), ...folders.flat()];
});

describe('citations', () => {
  it('lead to a heading, a rule or a choice that is there', () => {
    const cited = sources.flatMap((source) => citationsOf(source, targets));
    expect(cited.length).toBeGreaterThan(300);
    expect(cited.filter(({ fault }) => fault !== null).map(asLine)).toEqual([]);
  });

  it('of the table of choices name sections of the specification', () => {
    const rows = targets.documents.get('docs/choices.md')!.matchAll(/^\| \d+ +\| ([^|]+?) +\|/gm);
    const sections = [...rows].map(([, section]) => section!.replace(/ \(.*\)$/, ''));
    expect(sections.length).toBeGreaterThan(60);
    const cited = sections
      .filter((section) => section !== '(absent)')
      .map((section) => `/** Spec: ${section.replace('States: ', '')}. */`);
    const faults = cited.flatMap((text) => citationsOf({ path: 'docs/choices.md', text }, targets));
    expect(faults.filter(({ fault }) => fault !== null).map(asLine)).toEqual([]);
    expect(faults).toHaveLength(cited.length);
  });

  it.each([
    ['/** Sends once. docs/sending-rules.md#send-once */', null],
    ['/** Sends once. docs/sending-rules.md#send-thrice */', 'no such heading'],
    ['/** See mail.md, section 2. */', 'no such document'],
    ['// It is said in docs/no-such-document.md.', 'no such document'],
    ['/** Spec: Leads, rule 1. */', null],
    ['/** Spec: Leads, rules 2 and 3; choice 53. */', null],
    ['/**\n * Finds or creates. Spec: Leads,\n * rules 1 to 3.\n */', null],
    ['/** Spec: POST /v1/leads. */', null],
    ['/** Spec: Leads, rule 6. */', 'no rule 6 is there'],
    ['/** Spec: Leads, rules 4 to 7. */', 'no rule 6 is there'],
    ['/** Spec: Sprockets. */', 'docs/spec-notes.md has no heading "Sprockets"'],
    ['/** Spec: POST /v1/sprockets. */', 'docs/spec-notes.md has no heading "POST /v1/sprockets"'],
    ['/** Spec: `maxFollowups` is 0. */', 'no heading is named'],
    ['/** Spec: Leads, Sprockets. */', 'docs/spec-notes.md has no heading "Sprockets"'],
    ['/** Choice 53. */', null],
    ['/** Warm-up; choices 28, 530-531. */', 'no choice 530, 531 in docs/choices.md'],
    ['/** Writes the intent. W6. */', 'no known form of citation'],
    ['/** Row first (W1). */', 'no known form of citation'],
    ['/** One at a time. Mail: rules of sending. */', 'no known form of citation'],
    ['/** At most 50 a day (mail rules). */', 'no known form of citation'],
    ['/** As rule 4 has it. */', 'no known form of citation'],
    ['/** Rule 2: only hashes are stored. */', 'no known form of citation'],
    ['/** World: `--day-seconds`. */', 'no known form of citation'],
    ['// Trap d: camel case in.', 'no known form of citation'],
    ["it('keeps nothing (rule 3, trap k)', async () => {", 'no known form of citation'],
    ['/** Nobody gets through. Goal R4. */', 'no known form of citation'],
    ['/** Exact counts. P9. */', 'no known form of citation'],
  ])('%s: %s', (text, fault) => {
    const faults = citationsOf({ path: 'src/a.ts', text }, targets).map((one) => one.fault);
    expect(new Set(faults)).toEqual(new Set([fault]));
  });

  it('are not seen in code and in texts that only look like them', () => {
    const text = [
      "const glob = ['src/**/*.md', 'test/**'];",
      "const html = '<p>E-Mail: info@acme.de</p>';",
      "const lead = { firstName: 'P0', key: 'w7' };",
      'for (const choice of choices) count(choice);',
      '// RFC 5322, section 3.6.4; https://example.com/guide/rules.md',
    ].join('\n');
    expect(citationsOf({ path: 'src/a.ts', text }, targets)).toEqual([]);
  });
});

const asLine = ({ path, words, fault }: Citation) => `${path}: ${words} (${fault})`;

async function readFolder(folder: string): Promise<Source[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  const paths = names
    .filter((name) => /\.(?:[cm]?[jt]s|sh)$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !NOT_OURS.test(path) && !path.includes('node_modules'));
  return Promise.all(paths.map(readSource));
}

const readSource = async (path: string): Promise<Source> => ({
  path,
  text: await readFile(join(root, path), 'utf8'),
});
