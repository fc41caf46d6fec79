/** `outreach mcp` on the command line: where the API is, the key, the scopes. What it serves: test/mcp. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';

const KEY = `svc_${'a'.repeat(64)}`;

async function outreach(environment: Record<string, string>, ...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(['mcp', ...argv], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    environment,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const nowhere = ['--world', '/nowhere/world.json'];

describe('outreach mcp', () => {
  it('explains itself', async () => {
    const { code, out } = await outreach({}, '--help');
    expect(code).toBe(0);
    for (const word of ['OUTREACH_URL', 'OUTREACH_API_KEY', '--allow <scope>', 'Examples:']) {
      expect(out).toContain(word);
    }
  });

  it('says what is missing', async () => {
    expect(await outreach({ OUTREACH_API_KEY: KEY }, ...nowhere)).toEqual({
      code: 1,
      out: '',
      err: 'OUTREACH_URL is not set and /nowhere/world.json cannot be read: set it, or give --url.',
    });
    expect(await outreach({ OUTREACH_URL: 'http://127.0.0.1:9' })).toEqual({
      code: 1,
      out: '',
      err: 'OUTREACH_API_KEY is not set.',
    });
  });

  it('never sends the key of one place to another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-mcp-'));
    const world = join(folder, 'world.json');
    await writeFile(world, JSON.stringify({ api: 'http://127.0.0.1:1', apiKey: KEY }));
    const { code, err } = await outreach({}, '--url', 'https://a.example', '--world', world);
    await rm(folder, { recursive: true });
    expect([code, err]).toEqual([1, 'OUTREACH_API_KEY is not set.']);
  });

  it.each([
    ['--allow', 'everything'],
    ['--http', 'many'],
    ['--http', '70000'],
  ])('refuses %s %s', async (...argv) => {
    const { code, out } = await outreach({ OUTREACH_URL: 'http://127.0.0.1:9' }, ...argv);
    expect([code, out]).toEqual([2, '']);
  });
});
