/** Each magic name that the documents promise is tried by a test, and none that is tried is missing there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRIED_DOMAINS } from '../e2e/test-mode-domains.ts';
import { KINDS, VERDICTS } from '../e2e/test-mode-recipients.ts';
import { TRIED_SEARCHES } from '../e2e/test-mode-searches.ts';
import { root } from './documents.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names in the first column of the table of `document` whose head begins so. */
function namesOf(document: string, head: string): string[] {
  const lines = read(document).split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${head} `));
  expect([document, head, at >= 0]).toEqual([document, head, true]);
  const rows = lines.slice(at + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows
    .slice(0, end)
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

/** `taken-*` is tried as `taken`. */
const prefixes = (names: readonly string[]) => names.map((name) => name.replace(/-\*$/, ''));

/** What only a vendor's stand-in can show, and the file that tries it there. */
const ELSEWHERE: Record<string, readonly [file: string, tried: string]> = {
  'slow-*@': ['test/sandbox/finders.test.ts', 'slow-a@acme.test'],
  'opted-out-*': ['test/sandbox/finders.test.ts', 'opted-out-'],
  'too-much-data coffee': ['test/sandbox/meta.test.ts', 'too-much-data'],
  'heavy coffee': ['test/sandbox/meta.test.ts', 'heavy'],
};

/** Those of `names` that neither `isTried` nor their file elsewhere knows. */
const untried = (names: readonly string[], isTried: (name: string) => boolean) =>
  names.filter((name) => {
    const other = ELSEWHERE[name];
    return other ? !read(other[0]).includes(other[1]) : !isTried(name);
  });

describe('the magic names of test mode', () => {
  it('are tried: domains', () => {
    const told = prefixes(namesOf('docs/test-mode.md', 'domain'));
    expect(told.toSorted()).toEqual(TRIED_DOMAINS.toSorted());
  });

  it('are tried: recipients', () => {
    const told = prefixes(namesOf('docs/test-mode.md', 'recipient'));
    expect(told.length).toBeGreaterThan(0);
    expect(untried(told, (name) => (KINDS as readonly string[]).includes(name))).toEqual([]);
  });
});

describe('the magic names of the world', () => {
  it('are tried: domains and recipients, also in test mode', () => {
    const domains = prefixes(namesOf('docs/world.md', 'domain'));
    expect(domains.toSorted()).toEqual(TRIED_DOMAINS.toSorted());
    const recipients = prefixes(namesOf('docs/world.md', 'recipient'));
    expect(recipients.toSorted()).toEqual([...KINDS].toSorted());
  });

  it('are tried: searches', () => {
    const told = namesOf('docs/world.md', 'search');
    const tried = TRIED_SEARCHES.map((prefix) => `${prefix}-dentist`);
    expect(untried(told, (name) => tried.includes(name))).toEqual([]);
    expect(tried.filter((name) => !told.includes(name))).toEqual([]);
  });

  it('are tried: what finders and verifiers say', () => {
    const told = namesOf('docs/world.md', 'address or domain');
    const tried = VERDICTS.map(([email]) => email);
    const fits = (name: string) => {
      const pattern = new RegExp(
        `^${name.startsWith('@') ? '[^@]+' : ''}${name.replace('*', '.*')}`,
      );
      return tried.some((email) => pattern.test(email));
    };
    expect(told.length).toBeGreaterThan(4);
    expect(untried(told, fits)).toEqual([]);
  });
});
