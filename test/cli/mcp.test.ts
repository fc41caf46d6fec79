/** `outreach mcp` on the command line: where the API is, the key, the scopes. What it serves: test/mcp. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';
import { makeHome } from '../support/cli/client.ts';

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
    expect(await outreach({ OUTREACH_API_KEY: KEY })).toEqual({
      code: 1,
      out: '',
      err: 'OUTREACH_URL is not set: both are needed, or none.',
    });
    expect(await outreach({ OUTREACH_URL: 'http://127.0.0.1:9' })).toEqual({
      code: 1,
      out: '',
      err: 'OUTREACH_API_KEY is not set: both are needed, or none.',
    });
    expect(await outreach({}, ...nowhere)).toEqual({
      code: 1,
      out: '',
      err: '/nowhere/world.json cannot be read: is the world running?',
    });
    const { code, err } = await outreach({}, '--profile', 'acme');
    expect([code, err]).toEqual([1, expect.stringContaining('There is no profile acme')]);
  });

  it.each([
    ['default', []],
    ['acme', ['--profile', 'acme']],
  ] as const)('serves the login %s, in a folder with a world, too', async (profile, options) => {
    const { home, remove } = await makeHome();
    await mkdir(join(home, 'outreach'), { mode: 0o700 });
    const login = { url: 'http://127.0.0.1:9', apiKey: KEY };
    await writeFile(
      join(home, 'outreach/credentials.json'),
      JSON.stringify({ profiles: { [profile]: login } }),
      { mode: 0o600 },
    );
    const cwd = join(home, 'folder');
    await mkdir(join(cwd, '.outreach'), { recursive: true });
    const world = { api: 'http://127.0.0.1:1', apiKey: `svc_${'b'.repeat(64)}` };
    await writeFile(join(cwd, '.outreach/world.json'), JSON.stringify(world));
    const program = compiledProgram('src/cli/outreach.ts');
    const child = spawn(process.execPath, [...program, 'mcp', '--http', '0', ...options], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: home },
    });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => void (said += piece.toString()));
    try {
      await expect.poll(() => said).toContain('\n');
      expect(said).toContain('Serving http://127.0.0.1:9 at');
    } finally {
      child.kill();
      await remove();
    }
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
