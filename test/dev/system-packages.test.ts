/** What apt adds, also while another apt is at work. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installGroups, installPackages } from '../../src/dev/system-packages.ts';

const path = process.env['PATH'];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-apt-'));
  process.env['PATH'] = [folder, path].join(delimiter);
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(folder, { recursive: true, force: true });
});

/** An apt that notes what it was asked, refuses the first update so, and knows no package `unknown`. */
async function apt(refusal = ''): Promise<() => Promise<string[]>> {
  const notes = join(folder, 'notes');
  const script = `#!/bin/sh
case "$*" in *unknown*) exit 100;; esac
if [ "$1" = update ] && [ ! -e '${notes}' ] && [ -n '${refusal}' ]; then echo '${refusal}' >&2; code=100; fi
echo "$*" >>'${notes}'
exit \${code:-0}
`;
  await writeFile(join(folder, 'apt-get'), script);
  await chmod(join(folder, 'apt-get'), 0o755);
  return async () => (await readFile(notes, 'utf8')).trim().split('\n');
}

describe('an installation', () => {
  it('waits for another apt that holds the lists', async () => {
    const asked = await apt('E: Could not get lock /var/lib/apt/lists/lock. It is held by 7 (apt)');
    expect(installPackages(['dovecot-imapd'])).toBe(true);
    const [first, second, third, ...more] = await asked();
    expect([first, second, more]).toEqual(['update', 'update', []]);
    expect(third).toMatch(/install --yes .* dovecot-imapd$/);
  });

  it('is given up at once when the lists cannot be read', async () => {
    const asked = await apt('E: Failed to fetch the lists');
    expect(installPackages(['dovecot-imapd'])).toBe(false);
    expect(await asked()).toEqual(['update']);
  });

  it('goes on with other groups where one has a name that apt does not know', async () => {
    const asked = await apt();
    const told: string[] = [];
    const report = (line: string) => void told.push(line);
    const groups = {
      shells: { 'no-such-shell': 'unknown' },
      mail: { 'no-such-mail': 'mail-server' },
    };
    installGroups({ ...groups, none: { sh: 'dash' } }, report);
    const [first, second, ...more] = await asked();
    expect([first, more]).toEqual(['update', []]);
    expect(second).toMatch(/install --yes .* mail-server$/);
    expect(told).toEqual([
      'installing unknown, mail-server by apt-get, not started',
      'shells: apt-get could not install unknown',
    ]);
  });
});
