/** `outreach doctor --order`: a server is rented, proved and given back, in every ending. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { BookInput } from '../../activities/reconcile/index.ts';
import { runCommand } from '../../src/cli/program.ts';
import type { Context } from '../../src/context.ts';
import { insertTrial, listOpenTrials } from '../../src/db/operations/doctor-trials.ts';
import { TRIAL_LABEL } from '../../src/domain/operations/doctor-trials.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';

const DOMAIN = 'trials.com';
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, '127.0.0.1:9');
  await sandbox.namecom('POST', '/domains', { domain: { domainName: DOMAIN } });
});
beforeEach(async () => {
  context.clock.now = () => new Date();
  await sandbox.control('DELETE', '/faults');
  await sandbox.control('DELETE', '/accounts/hetzner');
  await sql`delete from doctor_trials`.execute(database.db);
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

const OPTIONS = ['--order', '--domain', DOMAIN, '--yes', '--json'];

/** `onStep` is called with each line of progress. */
async function doctor(argv: string[], onStep?: (words: string) => void) {
  const said: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err(text: string) {
      said.err.push(text);
      onStep?.(text);
    },
    environment: environment(),
  };
  const code = await runCommand(['doctor', ...argv], io);
  const text = said.out.join('\n');
  const lines = text.startsWith('{')
    ? (JSON.parse(text) as { lines: Line[] }).lines.filter(({ vendor }) => /--order/.test(vendor))
    : [];
  return { code, lines, text, err: said.err.join('\n') };
}
interface Line {
  vendor: string;
  question: string;
  state: string;
  found: string;
  cure?: string;
}

/** The environment of `context`, as the command reads it. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL, DNS_SERVERS, OUTBOUND_PROXY, ACME_DIRECTORY_URL } = context.config;
  return {
    OUTREACH_ENV: 'development',
    DATABASE_URL,
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    JWT_SECRET: 'development-secret-of-the-tests-0123456789',
    ENCRYPTION_KEYS: `development:${Buffer.alloc(32, 7).toString('base64')}`,
    RETRY_PACE: '0.02',
    PROVIDER_LAG_SECONDS: '0.3',
    PROVIDER_TIMEOUT_SECONDS: '15',
    DNS_SERVERS: DNS_SERVERS.join(','),
    OUTBOUND_PROXY,
    ACME_DIRECTORY_URL,
    NAMECOM_USERNAME: 'sandbox-test',
    NAMECOM_TOKEN: 'namecom-sandbox-token',
    NAMECOM_URL: `${sandbox.url}/namecom/core/v1`,
    HETZNER_TOKEN: 'hetzner-sandbox-token',
    HETZNER_URL: `${sandbox.url}/hetzner/v1`,
  };
}

/** What the vendors still have of trials, and the rows that say that they may. */
async function leftovers() {
  const servers = Object.keys(context.vps).map(async (name) => context.vps[name]!.listOurs!());
  const records = await context.registrars['namecom']!.listRecords(DOMAIN);
  const open = await listOpenTrials(database.db);
  const names = (await Promise.all(servers)).flat().map(({ name }) => name);
  return { names, records: records.length, open: open.length };
}
const NOTHING = { names: [], records: 0, open: 0 };
const bookServers = async () => {
  const { body } = await sandbox.control('GET', '/books');
  return body.vps.hetzner.servers as { name: string }[];
};

describe('outreach doctor --order', () => {
  it('names the price, and orders nothing without --yes', async () => {
    const { code, err } = await doctor(['--order', '--domain', DOMAIN]);
    expect(code).toBe(4);
    expect(err).toContain('hetzner: 0.0064 EUR for its first hour');
    expect(await bookServers()).toEqual([]);
    expect((await doctor(['--order', '--yes'])).code).toBe(2);
    expect((await doctor(['--order', '--yes', '--domain', 'not-ours.com'])).code).toBe(4);
  });

  it('rents a server, installs and proves the mail host, and gives everything back', async () => {
    const { code, lines } = await doctor(OPTIONS);
    expect(lines.map(({ question, state }) => `${question}: ${state}`)).toEqual([
      'order a server: ok',
      'the server runs: ok',
      'name it in DNS: ok',
      'name it in reverse DNS: ok',
      'first boot: ok',
      'install the mail host, with a certificate: ok',
      'log in over SMTP and IMAP: ok',
      'port 25 from the server: ok',
      'give the server and its record back: ok',
    ]);
    expect(code).toBe(0);
    expect((await bookServers()).length).toBe(1);
    expect(await leftovers()).toEqual(NOTHING);
  });

  it('names the quota that is reached, and leaves nothing', async () => {
    await sandbox.control('PUT', '/accounts/hetzner', { limitReached: true });
    const { code, lines } = await doctor(OPTIONS);
    expect([code, lines.map(({ state }) => state)]).toEqual([5, ['failed', 'ok']]);
    expect(lines[0]!.found).toContain('resource_limit_exceeded');
    expect(lines[0]!.cure).toContain('limit');
    expect(await leftovers()).toEqual(NOTHING);
  });

  it('gives back a server whose order had no answer', async () => {
    const fault = { vendor: 'hetzner', operation: 'POST /servers', kind: 'timeout_after_effect' };
    await sandbox.control('POST', '/faults', { ...fault, times: 1 });
    const { code, lines } = await doctor(OPTIONS);
    expect([code, lines.map(({ state }) => state)]).toEqual([5, ['failed', 'ok']]);
    expect(await leftovers()).toEqual(NOTHING);
  });

  it.each(['the server runs', 'first boot', 'log in over SMTP and IMAP'])(
    'gives back what it has when a signal comes at "%s"',
    async (step) => {
      let signalled = false;
      const { code, lines } = await doctor(OPTIONS, (words) => {
        if (!words.endsWith(step) || signalled) return;
        signalled = true;
        // As Ctrl-C: the command's own listener is the newest.
        const own = process.listeners('SIGINT').at(-1) as (signal: string) => void;
        own('SIGINT');
      });
      expect([signalled, code]).toEqual([true, 5]);
      expect(lines.at(-1)).toMatchObject({ question: 'give the server and its record back' });
      expect(lines.at(-2)).toMatchObject({ state: 'failed', found: 'broken off' });
      expect(await leftovers()).toEqual(NOTHING);
    },
  );

  it('says so where it cannot give back, and the next one does', async () => {
    let refused = false;
    const { code, lines } = await doctor(OPTIONS, (words) => {
      if (refused || !words.endsWith('give everything back')) return;
      refused = true;
      const fault = { vendor: 'hetzner', operation: 'DELETE /servers/{id}', kind: 'auth' };
      void sandbox.control('POST', '/faults', { ...fault, times: 1 });
    });
    expect([code, lines.at(-1)]).toMatchObject([5, { state: 'failed' }]);
    expect(lines.at(-1)!.found).toContain('may still be there');
    expect(await leftovers()).toMatchObject({ open: 1, names: [expect.any(String)] });
    // Not at once: another doctor may be at work.
    await sql`update doctor_trials set started_at = now() - interval '3 hours'`.execute(
      database.db,
    );
    const { code: next, err } = await doctor(OPTIONS);
    expect([next, err]).toEqual([0, expect.stringContaining('of an earlier doctor')]);
    expect(await leftovers()).toEqual(NOTHING);
  });
});

/** The command as a process of its own, which gets `signal` at its step "first boot". */
async function killedAt(signal: NodeJS.Signals): Promise<number | null> {
  const args = [...compiledProgram('src/cli/outreach.ts'), 'doctor', ...OPTIONS];
  const env = { ...process.env, ...environment(), NODE_EXTRA_CA_CERTS: sandbox.caFile };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += String(part);
    if (said.includes('first boot') && !child.killed) child.kill(signal);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('a doctor that was killed', () => {
  it('by Ctrl-C gives everything back first, and ends with 5', async () => {
    expect(await killedAt('SIGINT')).toBe(5);
    expect(await leftovers()).toEqual(NOTHING);
  });

  it('by force leaves a server that was written down, and the next one gives it back', async () => {
    expect(await killedAt('SIGKILL')).toBeNull();
    const left = await leftovers();
    expect(left).toMatchObject({ open: 1, names: [expect.any(String)] });
    expect((await listOpenTrials(database.db))[0]!.name).toBe(left.names[0]);
    await sql`update doctor_trials set started_at = now() - interval '3 hours'`.execute(
      database.db,
    );
    expect((await doctor(OPTIONS)).code).toBe(0);
    expect(await leftovers()).toEqual(NOTHING);
  });

  it('leaves a server that the comparison of vendor records deletes after two hours', async () => {
    const vps = context.vps['hetzner']!;
    const { client, host } = context.mailHost.makeKeys();
    const name = 'outreach-doctor-0a1b2c3d4e5f';
    const trial = { provider: 'hetzner', registrar: 'namecom', domain: DOMAIN };
    await insertTrial(database.db, { name, ...trial, startedAt: new Date() });
    await vps.create({
      name,
      sshPublicKey: client.publicKey,
      userData: context.mailHost.userData({ hostName: `${name}.${DOMAIN}`, hostKey: host }),
      labels: { 'managed-by': 'outreach', ...TRIAL_LABEL },
    });
    const record = { type: 'A', name, value: '198.18.0.9' } as const;
    await context.registrars['namecom']!.createRecord(DOMAIN, record);
    const activities = createActivities(context);
    const words = { actor: 'system', reason: 'test' };
    const input: BookInput = { book: 'vps/hetzner', heal: 'safe', words };
    const compare = () =>
      activityEnvironment().run((given: BookInput) => activities.compareBook(given), input);
    context.clock.now = () => new Date(Date.now() + HOUR_MS);
    expect(await compare()).toMatchObject({ found: 0, healed: 0 });
    context.clock.now = () => new Date(Date.now() + 3 * HOUR_MS);
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await leftovers()).toEqual(NOTHING);
  });
});
