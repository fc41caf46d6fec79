/** What CONTRIBUTING.md promises: a registrar is one file and one line, and nothing else. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import type { Vendor } from '../../src/providers/vendor.ts';
import type * as Vendors from '../../src/providers/vendors.ts';
import type * as Shapes from '../../src/routes/domains/domains-shapes.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = 'src/providers/registrars';
const [file, line] = codeIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));

let tree: string;
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'new-registrar-'));
  cpSync(join(root, 'src'), join(tree, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json', '.env.example']) {
    cpSync(join(root, name), join(tree, name));
  }
  for (const name of ['node_modules', 'workflows', 'activities', 'migrations']) {
    symlinkSync(join(root, name), join(tree, name));
  }
  writeFileSync(join(tree, folder, 'example.ts'), file!);
  appendFileSync(join(tree, folder, 'registry.ts'), line!);
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** The two blocks under "Add a registrar". */
function codeIn(contributing: string): string[] {
  const section = /## Add a registrar\n(.*?)\n## /s.exec(contributing)?.[1] ?? '';
  return [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
}

/** A module of the copy. */
const load = (path: string) => import(join(tree, path)) as Promise<Record<string, unknown>>;

describe('a new registrar', () => {
  it('is one line in the registry, and compiles', async () => {
    expect(line!.trim().split('\n')).toHaveLength(1);
    const files = [`${folder}/registry.ts`];
    const compilerOptions = { noEmit: true, rootDir: '.', skipLibCheck: true };
    const config = { extends: './tsconfig.json', files, include: [], compilerOptions };
    writeFileSync(join(tree, 'tsconfig.new.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [tsc, '-p', 'tsconfig.new.json'], { cwd: tree });
    expect(compiled.stdout).toBe('');
  });

  it('is configured, asked for in .env.example, and taken by the routes', async () => {
    const { vendors } = (await load('src/providers/vendors.ts')) as typeof Vendors;
    const { registrarName } = (await load('src/routes/domains/domains-shapes.ts')) as typeof Shapes;
    const known: Record<string, Vendor<string, Registrar>> = vendors.registrars;
    expect(Object.keys(known).toSorted()).toEqual(['example', 'namecom', 'porkbun']);
    const state = known['example']!.configure({ EXAMPLE_TOKEN: 'a-token' });
    expect(state.state).toBe('on');
    const example = readFileSync(join(tree, '.env.example'), 'utf8');
    const variables = Object.values(known).flatMap((vendor) => vendor.variables);
    const missing = variables.filter((name) => !example.includes(`${name}=`));
    expect(missing).toEqual(['EXAMPLE_TOKEN', 'EXAMPLE_URL']);
    const configured = { example: {} as Registrar };
    const schema = registrarName({ registrars: configured });
    expect(schema.safeParse('example').success).toBe(true);
    expect(schema.safeParse('other').success).toBe(false);
  });
});
