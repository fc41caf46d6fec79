/**
 * Runs before the tests: installs Debian's Dovecot, Postfix, zsh, fish and Chromium where possible (as root, with
 * apt). No service is started: each test starts its own. What is missing has its tests skipped with the reason, so no
 * failure here is an error.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { hasCommand, installGroups } from './system-packages.ts';

/** What not every distribution has is no part of another group. */
const GROUPS = {
  'mail servers': { dovecot: 'dovecot-imapd', postfix: 'postfix' },
  zsh: { zsh: 'zsh' },
  fish: { fish: 'fish' },
  browser: { 'chromium-headless-shell': 'chromium-headless-shell' },
};

/** Called by every package that would start its service: 101 = not allowed. Debian Policy, 9.3.3. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';

if (userInfo().uid === 0 && hasCommand('apt-get')) {
  const isOurs = !existsSync(POLICY_FILE);
  if (isOurs) writeFileSync(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    installGroups(GROUPS, (line) => console.log(line));
  } finally {
    if (isOurs) rmSync(POLICY_FILE);
  }
}
