/** The Dockerfile: sound by structure, in a second; `npm run test:compose` builds it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MEMORY_VARIABLES, NODE_FLAGS } from '../src/dev/processes/node-settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFile(`${root}/${name}`, 'utf8');

describe('the Dockerfile', () => {
  it('builds in one stage and ships another, as a user without rights', async () => {
    const lines = (await read('Dockerfile')).split('\n');
    const stages = lines.filter((line) => line.startsWith('FROM '));
    const named = stages.map((line) => / AS (\w+)$/.exec(line)?.[1]);
    expect(named).toEqual(['build', 'world', 'shipped', undefined]);
    const last = lines.slice(lines.lastIndexOf(stages.at(-1)!));
    const user = last.findIndex((line) => line.startsWith('USER '));
    expect(last[user]).not.toMatch(/root|\b0\b/);
    expect(user).toBeLessThan(last.findIndex((line) => line.startsWith('CMD ')));
    expect(last.filter((line) => line.startsWith('RUN '))).toEqual([]);
  });

  it('starts Node with the flags that the drills measure, as the scripts do', async () => {
    const flags = NODE_FLAGS.join(' ');
    const variables = Object.entries(MEMORY_VARIABLES).map(([name, value]) => `${name}=${value}`);
    const given = [...variables, `NODE_OPTIONS=${flags}`].join(' ');
    expect(await read('Dockerfile')).toMatch(new RegExp(`^ENV .* ${given}$`, 'm'));
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: object };
    expect(scripts).toMatchObject({
      'start:api': `${variables.join(' ')} node ${flags} dist/src/api.js`,
      'start:worker': `${variables.join(' ')} node ${flags} dist/src/worker.js`,
    });
  });

  it('copies what exists, or what the build makes', async () => {
    const made = ['node_modules', 'dist', '/out/packages/', '/out/program/'];
    const copies = [...(await read('Dockerfile')).matchAll(/^COPY (.+)$/gm)];
    expect(copies.length).toBeGreaterThan(3);
    const copied = copies.flatMap(([, rest]) =>
      rest!
        .split(' ')
        .filter((word) => !word.startsWith('--'))
        .slice(0, -1)
        .map((path) => path.replace(/^\/app\//, '')),
    );
    const missing = copied.filter((path) => !made.includes(path) && !existsSync(`${root}/${path}`));
    expect(missing).toEqual([]);
  });

  it('leaves secrets and what is installed here out of the image', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['node_modules', 'dist', '.env', 'outreach.env', '.outreach']),
    );
  });

  it('runs a Node.js that package.json takes, and only scripts that exist', async () => {
    const dockerfile = await read('Dockerfile');
    const { scripts, engines } = JSON.parse(await read('package.json')) as {
      scripts: Record<string, string>;
      engines: { node: string };
    };
    const [, major] = /^FROM node:(\d+)-/m.exec(dockerfile)!;
    expect(engines.node).toContain(`>=${major}`);
    for (const [, name] of dockerfile.matchAll(/npm run ([\w:-]+)/g)) {
      expect(Object.keys(scripts)).toContain(name);
    }
  });
});
