/** `outreach completion`, in shells that are here, and the help of every command that it knows. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { placesOf, type Place } from '../../src/cli/completion/places.ts';
import { createProgram } from '../../src/cli/program.ts';
import { outreachWith } from '../support/cli/client.ts';

const io = { out: () => undefined, err: () => undefined, environment: {} };
const places: Place[] = placesOf(await createProgram(io, []));
const leaves = places.filter(({ commands }) => commands.length === 0);
const script = async (shell: string) => (await outreachWith({}, ['completion', shell])).out;

const SHELLS = ['bash', 'zsh', 'fish'];
const hasShell = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('outreach completion bash', () => {
  /** What bash offers where the last word is completed. */
  async function offered(...words: string[]): Promise<string[]> {
    const line = ['outreach', ...words].map((word) => `'${word}'`).join(' ');
    const code = `${await script('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _outreach; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', code], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.split('\n').filter(Boolean);
  }

  it('knows commands of both sides, options and values', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['login', 'clusters', 'webhooks', 'ops', 'completion', '--version']),
    );
    expect(await offered('cl')).toEqual(['clusters']);
    expect(await offered('clusters', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'show', 'delete', 'watch', 'smarthost']),
    );
    expect(await offered('clusters', 'list', '--st')).toEqual(['--status']);
    expect(await offered('clusters', 'list', '--status', 'f')).toEqual(['failed']);
    expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'fish']));
    expect(await offered('clusters', '--help', 'watch', '--pro')).toEqual(['--profile']);
  });

  it('leaves what is free to the names of files', async () => {
    expect(await offered('leads', 'import', 'people')).toEqual([]);
    expect(await offered('leads', 'export', '--output', '')).toEqual([]);
  });
});

describe('outreach completion', () => {
  it.each(['bash', 'zsh', 'fish'])(
    'for %s names every command and each of its options',
    async (shell) => {
      const text = await script(shell);
      for (const { words, options } of places) {
        for (const word of words) expect(text).toContain(word);
        for (const { name } of options) expect(text).toContain(name.replace(/^--/, ''));
      }
    },
  );

  it.for(SHELLS)('for %s is read without an error', async (shell, { skip }) => {
    skip(!hasShell(shell), `there is no ${shell} here`);
    const command = ['-n', '-c', await script(shell)];
    const { status, stderr } = spawnSync(shell, command, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('refuses another shell, and names those that there are', async () => {
    const { code, err } = await outreachWith({}, ['completion', 'cmd']);
    expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});

describe('outreach completion fish', () => {
  it('offers commands, options and values at their places', async ({ skip }) => {
    skip(!hasShell('fish'), 'there is no fish here');
    const offered = async (line: string) => {
      const code = `${await script('fish')}\ncomplete -C '${line}'`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', code], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.split('\n').map((each) => each.split('\t')[0]);
    };
    expect(await offered('outreach ')).toEqual(expect.arrayContaining(['login', 'ops']));
    expect(await offered('outreach clusters list --status f')).toContain('failed');
  });
});

describe('outreach completion zsh', () => {
  /** What the script hands to zsh's own functions, which need a terminal, where the last word is completed. */
  const OWN = `compdef() { : }
_files() { print -r -- '<a file>' }
compadd() { print -rl -- "\${@:2}" }
_describe() { print -rl -- "\${(@)found%%:*}" }`;

  it('offers commands, options and values at their places', async ({ skip }) => {
    skip(!hasShell('zsh'), 'there is no zsh here');
    const offered = async (...words: string[]) => {
      const line = ['outreach', ...words].map((word) => `'${word}'`).join(' ');
      const place = `words=(${line}); CURRENT=${words.length + 1}; _outreach`;
      const code = [OWN, await script('zsh'), place].join('\n');
      const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', code], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').filter(Boolean);
    };
    expect(await offered('')).toEqual(expect.arrayContaining(['login', 'ops']));
    expect(await offered('clusters', '')).toEqual(expect.arrayContaining(['create', 'smarthost']));
    expect(await offered('clusters', 'list', '')).toContain('--status');
    expect(await offered('clusters', 'list', '--status', '')).toContain('failed');
    expect(await offered('leads', 'export', '--output', '')).toEqual(['<a file>']);
  });
});

describe('--help', () => {
  it.each(leaves.map(({ words }) => words.join(' ')))('of "%s" has an example', async (command) => {
    const { code, out } = await outreachWith({}, [...command.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`Examples?:\\n(.*\\n)*  \\$ .*outreach ${command}`));
  });

  it('tells of a client’s command how it ends', async () => {
    const { out } = await outreachWith({}, ['clusters', 'create', '--help']);
    expect(out).toMatch(/Exit codes:\n {2}0 {2}done\n {2}1 {2}it failed/);
    expect(out).not.toContain('6  asked for');
  });
});
