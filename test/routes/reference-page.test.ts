/** `/docs`: the page of the reference, its files, and the document that it shows. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { operations } from '../../clients/typescript/src/operations.ts';
import { bundleVersion, readBundle } from '../../src/http/reference/page.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api } = describeApi();

describe('GET /docs', () => {
  it('brings every file that it names, and none from elsewhere', async () => {
    const page = await api.call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to!);
    expect(links).toHaveLength(5);
    expect(await missing(links)).toEqual([]);
    expect(page.body).not.toMatch(/https?:\/\//);
  });

  it('may ask its own origin alone, and run scripts of files alone', async () => {
    const { headers, body } = await api.call('GET', '/docs');
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(policy.join(' ')).not.toMatch(/https?:|\*|unsafe-eval|upgrade-insecure-requests/);
    expect(body).not.toMatch(/<script>|onclick|style=/);
  });
});

describe('the bundle of the page', () => {
  const path = async () => `/docs/scalar-${await bundleVersion()}.js`;

  it('is compressed, and kept by browsers for good', async () => {
    const { status, headers, body } = await asked(await path(), { 'accept-encoding': 'gzip' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(body.length).toBeLessThan((await readBundle()).length / 3);
    const etag = headers.etag!;
    const again = { 'accept-encoding': 'gzip', 'if-none-match': etag };
    expect(await asked(await path(), again)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  it('is plain for who takes nothing else', async () => {
    const plain = await asked(await path(), { 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.equals(await readBundle())).toBe(true);
    const again = { 'accept-encoding': 'identity', 'if-none-match': plain.headers.etag! };
    expect(await asked(await path(), again)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  it('is not there under the version of another release', async () => {
    const { status, body } = await api.call('GET', '/docs/scalar-0.0.1.js');
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the document of the page', () => {
  it('is that of the API, with the guide in front and code at each operation of the client', async () => {
    const [{ body: shown }, { body: plain }] = await Promise.all([
      api.call('GET', '/docs/reference.json'),
      api.call('GET', '/openapi.json'),
    ]);
    expect(shown.info.description).toMatch(/^Outreach finds companies[\s\S]*^## Authentication$/m);
    const sampled: string[] = [];
    for (const [path, item] of Object.entries<Operations>(shown.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation['x-codeSamples']) sampled.push(operation.operationId);
        delete operation['x-codeSamples'];
        expect(operation.summary).not.toMatch(/`|\.$/);
        operation.summary = plain.paths[path][method].summary as string;
      }
    }
    expect(sampled.toSorted()).toEqual(Object.keys(operations).toSorted());
    shown.info.description = plain.info.description;
    expect(shown).toEqual(plain);
  });

  it('has a guide to each thing that holds for all operations', async () => {
    const { body } = await api.call('GET', '/docs/reference.json');
    const sections = [...body.info.description.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual([
      'Authentication',
      'Requests and answers',
      'Errors',
      'Lists and pages',
      'Idempotency',
      'Rate limits',
      'Webhooks',
      'Test mode',
    ]);
  });

  it('leads to pages that are there, and to sections of its own', async () => {
    const { body } = await api.call('GET', '/docs/reference.json');
    const text = body.info.description as string;
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to!);
    const pages = links.filter((to) => to.startsWith('/'));
    expect(pages).toEqual(expect.arrayContaining(['/openapi.json', '/docs/guides/webhooks.md']));
    expect(await missing(pages)).toEqual([]);
    const others = links.filter((to) => !pages.includes(to));
    expect(others).toEqual(['#description/authentication', 'https://www.standardwebhooks.com']);
  });
});

type Operations = Record<
  string,
  { operationId: string; summary: string; 'x-codeSamples'?: unknown }
>;

interface RawAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Those of the paths that are not there. */
async function missing(paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => api.call('GET', path)));
  return paths.filter((_path, index) => answers[index]!.status !== 200);
}

/** As it comes: `fetch` would unpack it. */
const asked = (path: string, headers: Record<string, string>): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, api.url), { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as RawAnswer['headers'],
          body: Buffer.concat(parts),
        }),
      );
      answer.on('error', reject);
    });
    sent.on('error', reject).end();
  });
