/** How a program comes to a host: the shell lines themselves, in a folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uploads } from '../../src/providers/mail-hosts/program-upload.ts';

const PROGRAMS = ['#!/bin/sh\necho "first one"\n', "#!/bin/sh\necho 'second one'\n"] as const;

describe('a program', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-upload-'));
    path = join(folder, 'outreach-mail');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** As sshd runs it: by root's shell. */
  const run = ({ line, stdin = '' }: { line: string; stdin?: string }) =>
    spawnSync('bash', ['-c', line], { input: stdin, encoding: 'utf8' });
  const of = (n: 0 | 1) => uploads(path, PROGRAMS[n]);
  const there = () => readFileSync(path, 'utf8');

  it('is put where none is, and can be run', () => {
    expect(run(of(0).put)).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(spawnSync(path).stdout.toString()).toBe('first one\n');
  });

  it('takes the place of another one, which comes back when it is put twice, too', () => {
    run(of(0).put);
    for (let time = 0; time < 2; time += 1) expect(run(of(1).put).status).toBe(0);
    expect(there()).toBe(PROGRAMS[1]);
    for (let time = 0; time < 2; time += 1) expect(run(of(1).restore).status).toBe(0);
    expect(there()).toBe(PROGRAMS[0]);
  });

  it('is not changed by one of which a part is missing', () => {
    run(of(0).put);
    const { line, stdin } = of(1).put;
    const cut = run({ line, stdin: stdin.slice(0, -1) });
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringMatching(/did not arrive whole/) });
    expect(there()).toBe(PROGRAMS[0]);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it('is not taken back once it is kept', () => {
    run(of(0).put);
    run(of(1).put);
    for (let time = 0; time < 2; time += 1) expect(run(of(1).keep).status).toBe(0);
    expect(run(of(1).restore).status).toBe(0);
    expect(there()).toBe(PROGRAMS[1]);
  });
});
