/**
 * Runs before the tests: installs Debian's Dovecot, Postfix, zsh, fish and Chromium where possible (as root, with
 * apt), and fetches Deno and Bun by npm. No service is started: each test starts its own. What is missing has its
 * tests skipped with the reason, so no failure here is an error.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { hasCommand, installPackages, missingPackages, type Commands } from './system-packages.ts';
import { fetchRuntimes } from './test-runtimes.ts';

const MAIL_SERVERS = { dovecot: 'dovecot-imapd', postfix: 'postfix' };
const SHELLS = { zsh: 'zsh', fish: 'fish' };
const BROWSER = { 'chromium-headless-shell': 'chromium-headless-shell' };

/** Called by every package that would start its service: 101 = not allowed. Debian Policy, 9.3.3. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';

// npm works beside apt, which is waited for.
const fetched = fetchRuntimes((line) => console.log(`runtimes: ${line}`)).catch(() =>
  console.log('runtimes: npm could not fetch them'),
);

if (userInfo().uid === 0 && hasCommand('apt-get')) {
  const isOurs = !existsSync(POLICY_FILE);
  if (isOurs) writeFileSync(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install('mail servers and shells', { ...MAIL_SERVERS, ...SHELLS });
    // Of its own: not every distribution has it.
    install('browser', BROWSER);
  } finally {
    if (isOurs) rmSync(POLICY_FILE);
  }
}

await fetched;

function install(what: string, commands: Commands): void {
  const missing = missingPackages(commands);
  if (missing.length === 0) return;
  console.log(`${what}: installing ${missing.join(', ')} by apt-get, not started`);
  if (!installPackages(missing)) console.log(`${what}: apt-get could not install them`);
}
