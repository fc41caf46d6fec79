/** `/llms.txt` and the guides that it leads to. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUIDES, guideFile } from '../../src/http/guides/guides.ts';
import { TAGS } from '../../src/http/tags.ts';
import { root } from '../docs/documents.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api } = describeApi();

const MOST_CHARACTERS = 6_000;

describe('GET /llms.txt', () => {
  it('is short, in the form of llmstxt.org, for whoever asks', async () => {
    const { status, headers, body } = await api.call('GET', '/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = body as string;
    expect(text.length).toBeLessThan(MOST_CHARACTERS);
    const [title, , summary] = text.split('\n');
    expect(title).toBe('# Outreach');
    expect(summary).toMatch(/^> /);
    expect(text.match(/^#+ .*/gm)).toEqual(['# Outreach', '## Reference', '## Guides', '## Areas']);
  });

  it('leads to pages that are there, and names every area of the reference', async () => {
    const { body } = await api.call('GET', '/llms.txt');
    const links = [...(body as string).matchAll(/^- \[(.+?)\]\((\/.+?)\): .+$/gm)];
    const paths = new Set(links.map(([, , path]) => path!.split('#')[0]!));
    expect([...paths]).toEqual(['/openapi.json', '/docs', ...guidePaths]);
    for (const path of paths) expect((await api.call('GET', path)).status).toBe(200);
    const areas = Object.keys(TAGS).filter((tag) => tag !== 'Documentation');
    expect(links.slice(-areas.length).map(([, name]) => name)).toEqual(areas);
  });
});

const guidePaths = Object.keys(GUIDES).map((name) => `/docs/guides/${name}.md`);

describe('a guide', () => {
  const withoutLinks = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1');

  it.each(Object.keys(GUIDES))('is served with its text as it is: %s', async (name) => {
    const { headers, body } = await api.call('GET', `/docs/guides/${name}.md`);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await readFile(join(root, guideFile(name)), 'utf8');
    expect(withoutLinks(body)).toBe(withoutLinks(text));
  });

  it.each(Object.keys(GUIDES))('links to nothing that is not served: %s', async (name) => {
    const { body } = await api.call('GET', `/docs/guides/${name}.md`);
    const targets = [...(body as string).matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g)].map(
      ([, target]) => new URL(target!, `http://x/docs/guides/${name}.md`).pathname,
    );
    const answers = await Promise.all(targets.map((path) => api.call('GET', path)));
    expect(targets.filter((_, at) => answers[at]!.status !== 200)).toEqual([]);
  });

  it.each(['runbook', 'constructor', '..%2fchoices', '%2e%2e%2fchoices'])(
    'is none of these: %s',
    async (name) => {
      const { status, body } = await api.call('GET', `/docs/guides/${name}.md`);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('reaches the image, whose build is not given the other documents', async () => {
    const lines = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
    const given = lines.filter((line) => line.startsWith('!docs/'));
    expect(given).toEqual(
      Object.keys(GUIDES)
        .map((name) => `!${guideFile(name)}`)
        .toSorted(),
    );
  });
});
