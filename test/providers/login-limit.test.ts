/** The limit of messages per login, as Postfix asks for it: the policy program of the mail host's script. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostProgram } from '../../src/providers/mail-hosts/host-program.ts';

const [, policy = ''] = /put "\$POLICY" .*<<'END'\n([\s\S]*?)\nEND\n/.exec(hostProgram()) ?? [];
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('login-limit.test.ts is skipped: python3 is missing');

describe.skipIf(!hasPython)('the limit of a login', { timeout: 180_000 }, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-limit-'));
    writeFileSync(join(folder, 'policy'), policy);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const argv = (limit: number) => [join(folder, 'policy'), String(limit), join(folder, 'sent')];
  const request = (login: string, recipients = 1) =>
    `request=smtpd_access_policy\nprotocol_state=END-OF-MESSAGE\nsasl_username=${login}\n` +
    `recipient_count=${recipients}\n\n`;
  const answers = (limit: number, ...requests: string[]) =>
    spawnSync('python3', argv(limit), { input: requests.join(''), encoding: 'utf8' })
      .stdout.split('\n\n')
      .filter(Boolean);
  const putOff = expect.stringMatching(/^action=450 4\.7\.1 /);
  const taken = 'action=DUNNO';

  it('puts off what is beyond it, and counts each login by itself, whatever its case', () => {
    const asked = ['ann@x.test', 'Ann@x.test', 'ann@x.test', 'bob@x.test'].map((one) =>
      request(one),
    );
    expect(answers(2, ...asked)).toEqual([taken, taken, putOff, taken]);
  });

  it('counts recipients, and what it has put off does not count', () => {
    expect(answers(5, request('ann', 4), request('ann', 2), request('ann', 1))).toEqual([
      taken,
      putOff,
      taken,
    ]);
  });

  it('knows what other processes have counted, at the same time, too', async () => {
    const ended = Array.from({ length: 8 }, () => {
      const child = spawn('python3', argv(10));
      let said = '';
      child.stdout.on('data', (text: Buffer) => void (said += text.toString()));
      child.stdin.end(request('ann').repeat(3));
      return new Promise<string>((resolve) => void child.once('close', () => resolve(said)));
    });
    const all = (await Promise.all(ended)).join('').split('\n\n').filter(Boolean);
    expect(all).toHaveLength(24);
    expect(all.filter((answer) => answer === taken)).toHaveLength(10);
  });

  it('forgets what is older than an hour', () => {
    expect(answers(1, request('ann'), request('ann'))).toEqual([taken, putOff]);
    const older = `import sqlite3; db = sqlite3.connect("${join(folder, 'sent')}"); db.execute("update sent set at = at - 3601"); db.commit()`;
    expect(spawnSync('python3', ['-c', older]).status).toBe(0);
    expect(answers(1, request('ann'))).toEqual([taken]);
  });

  it('asks nothing of messages without a login, and of nobody where it is 0', () => {
    expect(answers(1, request(''), request(''))).toEqual([taken, taken]);
    expect(answers(0, request('ann', 1_000))).toEqual([taken]);
  });
});
