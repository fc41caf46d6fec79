/** Addresses of strangers, also after very many of them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseUrl } from '../../src/domain/url.ts';

/** So many that the engine compiles what reads them. */
const MANY = 300_000;

it('are read alike with and without letters beyond ASCII, however many came before', () => {
  for (let n = 0; n < MANY; n += 1) parseUrl(`https://acme${n % 10}.com/`);
  expect(parseUrl('https://müller.de/angebot')?.href).toBe('https://xn--mller-kva.de/angebot');
  expect(parseUrl('/größe?x=é', 'https://例え.jp/')?.href).toBe(
    'https://xn--r8jz45g.jp/gr%C3%B6%C3%9Fe?x=%C3%A9',
  );
});

it.each(['', 'acme', 'https://', 'http://[::1', '//acme.com'])('%j is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

it('are read in no other way', () => {
  const folders = ['src', 'activities', 'workflows'];
  const found = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && path !== 'src/domain/url.ts')
    .filter((path) => usesCanParse(path));
  expect(found).toEqual([]);
});

const usesCanParse = (path: string): boolean =>
  existsSync(path) && readFileSync(path, 'utf8').includes('.canParse(');
