/**
 * Runs before the tests: installs Debian's Dovecot and Postfix where possible (as root, with apt).
 * Their services are not started: each test starts its own. Without them their tests are skipped with
 * the reason, so no failure here is an error.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { hasCommand, installPackages, missingPackages } from './system-packages.ts';

const COMMANDS = { dovecot: 'dovecot-imapd', postfix: 'postfix' };

/** Called by every package that would start its service: 101 = not allowed. Debian Policy, 9.3.3. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';

const missing = missingPackages(COMMANDS);
if (missing.length > 0 && userInfo().uid === 0 && hasCommand('apt-get')) {
  console.log(`mail servers: installing ${missing.join(', ')} by apt-get, not started`);
  const isOurs = !existsSync(POLICY_FILE);
  if (isOurs) writeFileSync(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    if (!installPackages(missing)) console.log('mail servers: apt-get could not install them');
  } finally {
    if (isOurs) rmSync(POLICY_FILE);
  }
}
