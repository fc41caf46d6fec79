/** Code that the reference page shows: it compiles, and what verifies webhooks takes what we sign. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../clients/typescript/src/operations.ts';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import {
  operationsOf,
  type ContractDocument,
  type Operation,
} from '../../src/dev/contract/schema.ts';
import { hasCommand } from '../../src/dev/system-packages.ts';
import { guideFile } from '../../src/http/guides/guides.ts';
import { referenceDocument } from '../../src/http/reference/document.ts';
import { standardHeaders } from '../../src/providers/webhook-endpoints/signatures.ts';
import { root } from '../docs/documents.ts';

const run = promisify(execFile);

type Sampled = Operation & { 'x-codeSamples'?: { lang: string; source: string }[] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-samples-'));
});
afterAll(() => rm(folder, { recursive: true }));

const samples = new Map(
  operationsOf(referenceDocument(buildDocument()) as unknown as ContractDocument).flatMap(
    ({ operation }) =>
      ((operation as Sampled)['x-codeSamples'] ?? []).map(
        ({ source }) => [operation.operationId, source] as const,
      ),
  ),
);

const readGuides = ['api', 'schedules'].map(async (name) => {
  const text = await readFile(join(root, guideFile(name)), 'utf8');
  return [name, text] as const;
});
const guides = new Map(await Promise.all(readGuides));
const blocks = (language: string, name = 'api'): string[] =>
  [...guides.get(name)!.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code]) => code!,
  );

/** What tsc says about these modules, compiled against the client as somebody has it who installed it. */
async function compile(modules: ReadonlyMap<string, string>): Promise<string> {
  const scope = join(folder, 'node_modules/@outreach');
  await mkdir(scope, { recursive: true });
  await symlink(join(root, 'clients/typescript/src'), join(scope, 'client')).catch(() => {});
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types')).catch(
    () => {},
  );
  for (const [name, text] of modules) await writeFile(join(folder, `${name}.ts`), text);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'preserve',
    allowImportingTsExtensions: true,
    types: ['node'],
    paths: { '@outreach/client': ['./node_modules/@outreach/client/index.ts'] },
  };
  const files = [...modules.keys()].map((name) => `${name}.ts`);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/.bin/tsc');
  return run(tsc, ['-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

describe('code in TypeScript', () => {
  it('is there for every operation of the client', () => {
    expect([...samples.keys()].toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it('compiles against the client', async () => {
    expect(await compile(samples)).toBe('');
  });

  it.each([...guides.keys()])('of the guide %s compiles as one program', async (name) => {
    const typescript = blocks('ts', name);
    expect(typescript.length).toBeGreaterThan(4);
    expect(await compile(new Map([['guide', typescript.join('\n')]]))).toBe('');
  });

  it('is refused where it is wrong', async () => {
    const wrong = samples.get('clusters.create')!.replace('domain:', 'name:');
    expect(await compile(new Map([['wrong', wrong]]))).toMatch(/wrong\.ts.* error TS2\d+/);
  });
});

const noPython = hasCommand('python3') ? undefined : 'python3 is missing';
describe.skipIf(noPython)(`code in Python${noPython ? ` (${noPython})` : ''}`, () => {
  const secret = `whsec_${Buffer.alloc(48, 7).toString('base64')}`;
  const body = JSON.stringify({ id: 'evt_1', type: 'email.replied', data: { name: 'Zoë' } });
  const at = new Date('2026-11-21T09:00:00Z');
  const headers = standardHeaders({ secrets: [secret], eventId: 'evt_1', body }, at);
  const verifier = blocks('python').find((code) => code.includes('def verified_event'))!;

  /** The type of the event, or what the verifier says against it. */
  async function verdict(changed: { body?: string; headers?: object; now?: number }) {
    const given = { body, secret, now: at.getTime() / 1_000, ...changed };
    const program = `${verifier}
import sys
given = json.loads(sys.argv[1])
try:
    event = verified_event(given["body"].encode(), given["headers"], given["secret"], given["now"])
    print(event["type"])
except ValueError as error:
    print("ValueError:", error)
`;
    const text = JSON.stringify({ ...given, headers: { ...headers, ...changed.headers } });
    return (await run('python3', ['-c', program, text])).stdout.trim();
  }

  it('compiles', async () => {
    const python = blocks('python');
    expect(python.length).toBeGreaterThan(2);
    for (const code of python) {
      await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
    }
  });

  it('takes an event that we signed, also while two secrets are valid', async () => {
    expect(await verdict({})).toBe('email.replied');
    const older = `whsec_${Buffer.alloc(48, 9).toString('base64')}`;
    const both = standardHeaders({ secrets: [older, secret], eventId: 'evt_1', body }, at);
    expect(await verdict({ headers: both })).toBe('email.replied');
  });

  it('takes no other body, id, time, signature or secret', async () => {
    for (const changed of [
      { body: `${body} ` },
      { headers: { 'webhook-id': 'evt_2' } },
      { headers: { 'webhook-timestamp': '1' } },
      { headers: { 'webhook-timestamp': 'x' } },
      { headers: { 'webhook-signature': 'v1,' } },
      { headers: { 'webhook-signature': 'v1,ä' } },
      { now: at.getTime() / 1_000 + 301 },
    ]) {
      const said = await verdict(changed);
      expect(said, `of ${JSON.stringify(changed)}`).toMatch(/^ValueError: /);
    }
  });
});
