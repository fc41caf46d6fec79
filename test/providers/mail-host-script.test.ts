/** How messages leave a host: the script's own work, read back by Debian's Postfix. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sshKeyPair } from '../../src/providers/mail-hosts/keys.ts';
import {
  mailHostFolder,
  whyNoScript,
  type MailHostFolder,
} from '../support/mail/mail-host-folder.ts';

const missing = whyNoScript();
if (missing) console.warn(`mail-host-script.test.ts is skipped: ${missing}`);

const PASSWORD = `it's: "quite" $ecret; #1`;
const LOGIN = `ours@relay.test\n${PASSWORD}\n`;
const FILE = 'etc/postfix/outreach-smarthost';

describe.skipIf(missing !== undefined)('the script', { timeout: 180_000 }, () => {
  let host: MailHostFolder;
  beforeEach(() => {
    host = mailHostFolder('mail.acme.test');
  });
  afterEach(() => host.remove());

  const set = (stdin = LOGIN, at = ['relay.test', '587']) =>
    host.run(['set-smarthost', ...at], stdin);
  const lookedUp = () => host.postconf('smtp_sasl_password_maps').split(':')[0];

  it('sends by the smarthost, after TLS with its certificate and a login', () => {
    expect(set()).toMatchObject({
      code: 0,
      said: '',
      calls: ['service postfix reload', 'postqueue -f'],
    });
    expect(host.postconf('relayhost')).toBe('[relay.test]:587');
    expect(host.postconf('smtp_tls_security_level')).toBe('secure');
    expect(host.postconf('smtp_sasl_auth_enable')).toBe('yes');
    expect(host.postconf('smtp_sasl_tls_security_options')).toBe('noanonymous');
    expect(host.postconf('smtp_sasl_security_options')).toContain('noplaintext');
    expect(lookedUp()).toBe('texthash');
  });

  it('tells Postfix user and password to the letter', () => {
    set();
    expect(host.lookup('smtp_sasl_password_maps', '[relay.test]:587')).toBe(
      `ours@relay.test:${PASSWORD}`,
    );
  });

  it('keeps the password in one file that only root reads', () => {
    set();
    expect(host.holders(PASSWORD)).toEqual([`./${FILE}`]);
    const { mode, uid } = statSync(host.path(FILE));
    expect([mode & 0o777, uid]).toEqual([0o600, 0]);
  });

  it('does nothing when it is set again, and takes another one', () => {
    set();
    expect(set()).toEqual({ code: 0, said: '', calls: [] });
    expect(set('ours\nchanged\n').calls).toHaveLength(2);
    expect(host.holders(PASSWORD)).toEqual([]);
    set(LOGIN, ['other.test', '2587']);
    expect(host.postconf('relayhost')).toBe('[other.test]:2587');
  });

  it('sends directly once it is taken away, and nothing of it is left', () => {
    set();
    const del = () => host.run(['del-smarthost']);
    expect(del()).toMatchObject({ code: 0, calls: ['service postfix reload', 'postqueue -f'] });
    expect(del()).toEqual({ code: 0, said: '', calls: [] });
    expect(host.postconf('relayhost')).toBe('');
    expect(host.postconf('smtp_tls_security_level')).toBe('may');
    expect(host.postconf('smtp_sasl_auth_enable')).toBe('no');
    expect([...host.holders(PASSWORD), ...host.holders('relay.test')]).toEqual([]);
  });

  it('hands mail for the postmaster without a domain to people, and to root where nobody is', () => {
    const users = (...addresses: string[]) => {
      const lines = addresses.map((address) => `${address}:{BLF-CRYPT}x::::::\n`);
      writeFileSync(host.path('etc/dovecot/outreach-users'), lines.join(''));
      expect(host.run(['del-smarthost']).code).toBe(0);
    };
    const role = (name: string) => host.lookup('virtual_alias_maps', `${name}@mail.acme.test`);
    users();
    expect(role('postmaster')).toBe('');
    users('ann@acme.test', 'abuse@another.test', 'postmaster@another.test');
    expect(role('postmaster')).toBe('postmaster@another.test');
    users('abuse@another.test', 'postmaster@another.test', 'postmaster@acme.test', 'x@zoo.test');
    expect([role('postmaster'), role('abuse'), role('ann')]).toEqual([
      'postmaster@acme.test',
      'abuse@another.test',
      '',
    ]);
    expect(host.postconf('error_notice_recipient')).toBe('root');
  });

  it.each([
    ['no port', ['relay.test', '0'], LOGIN],
    ['no name', ['relay test', '587'], LOGIN],
    ['no password', ['relay.test', '587'], 'ours\n'],
    ['nothing', ['relay.test', '587'], ''],
    ['a user with a colon', ['relay.test', '587'], 'a:b\nc\n'],
  ])('refuses %s, and repeats no secret', (_what, at, stdin) => {
    const { code, said } = set(stdin, at);
    expect([code, said]).toEqual([2, expect.stringMatching(/^outreach-mail: no/)]);
    expect(said).not.toContain(PASSWORD);
    expect(host.holders(PASSWORD)).toEqual([]);
  });

  it('says by whom it sends, and not as whom', () => {
    const smarthost = () => JSON.parse(host.run(['status']).said).smarthost;
    host.run(['del-smarthost']);
    expect(smarthost()).toBeNull();
    set(LOGIN, ['relay.invalid', '587']);
    expect(smarthost()).toEqual({ host: 'relay.invalid', port: 587, state: 'unknown' });
  });

  it.each([
    ['SASL authentication failed; server relay.invalid[192.0.2.1] said: 535 5.7.8 no', 'refused'],
    ['delivery temporarily suspended: Server certificate not trusted', 'refused'],
    ['TLS is required, but was not offered by host relay.invalid[192.0.2.1]', 'refused'],
    ['host relay.invalid[192.0.2.1] said: 451 4.7.1 later', 'unknown'],
  ])('says what messages wait for: %s', (delay_reason, state) => {
    set(LOGIN, ['relay.invalid', '587']);
    const waits = { address: 'bob@client.test', delay_reason };
    host.queue([{ queue_name: 'deferred', queue_id: '4XyZ', recipients: [waits] }]);
    expect(JSON.parse(host.run(['status']).said).smarthost.state).toBe(state);
  });

  describe('without a certificate', () => {
    const problem = (type: string, detail: string) =>
      `\nCertbot failed to authenticate some domains (authenticator: standalone). The Certificate Authority reported these problems:\n  Domain: mail.acme.test\n  Type:   ${type}\n  Detail: ${detail}\n\nHint: look.\n\nSome challenges have failed.\n`;
    const LIMIT =
      'An unexpected error occurred:\nThere were too many requests of a given type :: Error creating new order :: ' +
      'too many failed authorizations (5) for "mail.acme.test" in the last 1h0m0s, retry after 2026-11-24 08:13:07 UTC: ' +
      'see https://letsencrypt.org/docs/rate-limits/#authorization-failures\n';
    const ask = () => host.run(['certificate', 'mail.acme.test']);

    it.each([
      ['dns', 'DNS problem: NXDOMAIN looking up A for mail.acme.test'],
      ['unauthorized', '192.0.2.1: Invalid response from http://mail.acme.test/: 404'],
      ['connection', '192.0.2.1: Fetching http://mail.acme.test/: Timeout during connect'],
      ['caa', 'CAA record for mail.acme.test prevents issuance'],
    ])('says why the authority refused: %s', (type, detail) => {
      host.certbotSays(problem(type, detail));
      expect(ask()).toMatchObject({
        code: 4,
        said: `outreach-mail: no certificate for mail.acme.test (${type}): ${detail}\n`,
      });
    });

    it('says until when the authority’s limit lasts, and counts no failure of its own', () => {
      host.certbotSays(LIMIT);
      for (let run = 0; run < 6; run += 1) {
        const { code, said, calls } = ask();
        expect([code, calls.length]).toEqual([4, 1]);
        expect(said).toMatch(/\(rateLimited\): .*retry after 2026-11-24 08:13:07 UTC/);
      }
    });

    it('asks four times an hour at most, one less than is allowed', () => {
      host.certbotSays(problem('dns', 'DNS problem: NXDOMAIN'));
      for (let run = 0; run < 4; run += 1) expect(ask().calls).toHaveLength(1);
      const { code, said, calls } = ask();
      expect([code, calls]).toEqual([4, []]);
      expect(said).toMatch(/\(rateLimited\): four validations .*retry after 20\d\d-\S+ \S+ UTC/);
      const hourAgo = Math.floor(Date.now() / 1_000) - 3_601;
      writeFileSync(
        host.path('var/lib/outreach-mail/validations-mail.acme.test'),
        `${hourAgo}\n`.repeat(4),
      );
      expect(ask().calls).toHaveLength(1);
    });

    it('says what certbot says where the authority said nothing', () => {
      host.certbotSays('Could not bind TCP port 80 because it is already in use.\n');
      expect(ask()).toMatchObject({ code: 1, said: expect.stringMatching(/test: Could not bind/) });
    });
  });

  it('asks about each message of a mailbox, and takes it where nobody answers', () => {
    set();
    expect(host.serviceParameter('submissions/inet/smtpd_end_of_data_restrictions')).toBe(
      'check_policy_service,unix:private/limit',
    );
    expect(host.postconf('smtpd_policy_service_default_action')).toBe('DUNNO');
    expect(host.service('limit/unix')).toMatch(
      /spawn user=outreach-limit argv=\/usr\/local\/lib\/outreach-mail-limit 300 .*\/limit\/sent$/,
    );
  });

  it('notes who logs in with our key, once, so that nobody bans them', () => {
    const callers = () => readFileSync(host.path('var/lib/outreach-mail/callers'), 'utf8');
    for (let run = 0; run < 2; run += 1) host.run(['status'], '', { SSH_CLIENT: '192.0.2.7 1 22' });
    host.run(['status'], '', { SSH_CLIENT: '192.0.2.70 1 22' });
    expect(callers()).toBe('192.0.2.7\n192.0.2.70\n');
  });

  it('tells how the host is, and which program it has', () => {
    const told = () => JSON.parse(host.run(['status']).said);
    // Whatever listens on this machine.
    host.sockets('LISTEN 0 100 0.0.0.0:25 0.0.0.0:*');
    const program = createHash('sha256').update(readFileSync(host.path('outreach-mail')));
    expect(told()).toMatchObject({
      program: program.digest('hex').slice(0, 16),
      signs: {
        queued: 0,
        diskUsedPercent: expect.any(Number),
        stoppedServices: [],
        closedPorts: [465, 993],
        needsReboot: false,
      },
    });
    host.queue([{ queue_id: 'a' }, { queue_id: 'b' }]);
    host.stop('dovecot');
    expect(told().signs).toMatchObject({ queued: 2, stoppedServices: ['dovecot'] });
    const { diskUsedPercent } = told().signs;
    expect(diskUsedPercent).toBeGreaterThan(0);
    expect(diskUsedPercent).toBeLessThanOrEqual(100);
  });

  describe('login keys', () => {
    const KEYS = 'root/.ssh/authorized_keys';
    const [old, next] = [sshKeyPair('old').publicKey, sshKeyPair('new').publicKey];
    const bare = (key: string) => key.split(' ').slice(0, 2).join(' ');
    const lines = () => readFileSync(host.path(KEYS), 'utf8').split('\n').filter(Boolean);
    const allow = (key: string) => host.run(['allow-key'], `${key}\n`);
    const remove = (key: string) => host.run(['remove-key'], `${key}\n`);

    it('lets a new key in beside the old one, once, and only root reads the file', () => {
      for (const key of [old, next, next]) expect(allow(key)).toMatchObject({ code: 0, said: '' });
      expect(lines()).toEqual([`${bare(old)} outreach`, `${bare(next)} outreach`]);
      expect(statSync(host.path(KEYS)).mode & 0o777).toBe(0o600);
    });

    it('takes the old key off, whatever its comment, and may be asked again', () => {
      for (const key of [old, next]) allow(key);
      for (let run = 0; run < 2; run += 1) {
        expect(remove(`${bare(old)} another comment`)).toMatchObject({ code: 0, said: '' });
        expect(lines()).toEqual([`${bare(next)} outreach`]);
      }
    });

    it('never removes the last one, and takes nothing that is no key', () => {
      allow(next);
      expect(remove(next)).toMatchObject({ code: 1, said: expect.stringMatching(/no other key/) });
      expect(allow('command="x" ssh-ed25519')).toMatchObject({ code: 2 });
      expect(allow('')).toMatchObject({ code: 2 });
      expect(lines()).toEqual([`${bare(next)} outreach`]);
    });
  });

  it('lets Postfix try again after a minute, twice as late each time, hourly, and for a day', () => {
    host.run(['del-smarthost']);
    const parameters = {
      queue_run_delay: '60s',
      minimal_backoff_time: '60s',
      maximal_backoff_time: '1h',
      maximal_queue_lifetime: '1d',
      bounce_queue_lifetime: '1d',
      delay_warning_time: '0h',
    };
    const found = Object.keys(parameters).map((name) => [name, host.postconf(name)]);
    expect(Object.fromEntries(found)).toEqual(parameters);
  });

  it('lets one worker send by 200 mailboxes at once, and leaves connections to others', () => {
    host.run(['del-smarthost']);
    const limit = host.serviceParameter('submissions/inet/smtpd_client_connection_count_limit');
    // Postfix' own limits are 50 and 100.
    expect(limit).toBe('200');
    expect(host.service('submissions/inet')).toMatch(/ 240 smtpd$|^submissions inet n - y - 240 /);
    expect(host.service('smtp/inet')).toMatch(/^smtp inet n - y - - smtpd/);
  });

  it('lets messages from mailboxes go without the line that names their client, and no others', () => {
    host.run(['del-smarthost']);
    expect(host.serviceParameter('submissions/inet/cleanup_service_name')).toBe('submitted');
    const [type, table] = host.serviceParameter('submitted/unix/header_checks').split(':');
    expect([type, table]).toEqual(['regexp', host.path('etc/postfix/outreach-submitted')]);
    for (const checks of ['mime_header_checks', 'nested_header_checks']) {
      expect(host.serviceParameter(`submitted/unix/${checks}`)).toBe('');
    }
    expect(host.postconf('header_checks')).toBe('');
    const fate = (name: string, protocol: string) =>
      headerFate(
        host,
        `Received: from c (c [192.0.2.7])\n\tby ${name} (Postfix) with ${protocol} id 4X`,
      );
    expect(fate('mail.acme.test', 'ESMTPSA')).toBe('IGNORE');
    expect(fate('mail.acme.test', 'UTF8SMTPSA')).toBe('IGNORE');
    expect(fate('mail.acme.test', 'ESMTPS')).toBe('');
    expect(fate('mail-acme.test', 'ESMTPSA')).toBe('');
    expect(fate('mx.other.test', 'ESMTPSA')).toBe('');
  });
});

/** What the table of submitted messages does to a header. */
const headerFate = (host: MailHostFolder, header: string) =>
  host.lookupIn(`regexp:${host.path('etc/postfix/outreach-submitted')}`, header);
