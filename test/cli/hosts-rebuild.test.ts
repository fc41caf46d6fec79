/** `outreach hosts backup` and `outreach hosts rebuild` with a worker and mail hosts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { runCommand } from '../../src/cli/program.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { createMailbox } from '../../src/services/mailboxes/mailboxes.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
import { openShell, shellBlocks } from '../support/sources/runbook.ts';
import { FLOW_ENVIRONMENT } from '../support/provisioning/flow-subjects.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-backups-'));
let world: ProvisioningWorld;
let environment: Record<string, string>;
let serverId: number;
let mailbox: { host: string; email: string; password: string };

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: { ...FLOW_ENVIRONMENT, HOST_BACKUP_DIR: folder },
  });
  const { config } = world.context;
  environment = {
    DATABASE_URL: world.database.url,
    TEMPORAL_ADDRESS: world.temporal.address,
    ENCRYPTION_KEYS: config.ENCRYPTION_KEYS,
    OUTBOUND_PROXY: config.OUTBOUND_PROXY!,
    HOST_BACKUP_DIR: folder,
  };
  const userId = await world.fundedUser(20_000);
  const order = { domain: 'rebuilt.com', useExistingVps: false };
  const { id } = await createCluster(world.context, userId, order);
  const { operation_id } = await getCluster(world.context.db, id);
  await awaitOperation(world.context, operation_id!, 120_000);
  serverId = (await getCluster(world.context.db, id)).server_id!;
  const email = 'ann@rebuilt.com';
  await createMailbox(world.context, userId, { clusterId: id, email });
  mailbox = { host: 'mail.rebuilt.com', email, password: await passwordOf(email) };
  const imap = await world.context.mailTransport.openImap(mailbox);
  await imap.append('INBOX', Buffer.from('Subject: kept\r\n\r\nkept\r\n'), ['\\Seen']);
  await imap.close();
}, 300_000);
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true });
});

async function passwordOf(email: string): Promise<string> {
  const { id, password } = await world.context.db
    .selectFrom('mailboxes')
    .select(['id', 'password'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return world.context.cipher.open(password!, passwordBinding(id));
}

const server = () => getServer(world.context.db, serverId);

async function inbox(): Promise<number> {
  const imap = await world.context.mailTransport.openImap(mailbox);
  const uids = await imap.search('INBOX', { name: 'Subject', value: 'kept' });
  await imap.close();
  return uids.length;
}

/** How often the vendor has wiped the server. */
async function reinstalls(): Promise<number> {
  const { vps } = (await world.sandbox.control('GET', '/books')).body;
  const { external_id, provider } = await server();
  const servers = vps[provider].servers as { id: string | number; reinstalls: number }[];
  return servers.find(({ id }) => String(id) === external_id)!.reinstalls;
}

async function outreach(...argv: string[]) {
  const said: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    environment,
  };
  const code = await runCommand(argv, io);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

const WORDS = ['--reason', 'a test', '--actor', 'ann'];

describe('outreach hosts rebuild', () => {
  it('makes a host anew, with its mail, keys and certificate', async () => {
    const { mailHost } = world.context;
    const before = await mailHost.status(serverAccess(world.context, await server()));
    const { code, out, err } = await outreach('hosts', 'rebuild', String(serverId), ...WORDS);
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(/mail\.rebuilt\.com .*succeeded/),
      expect.stringMatching(/mail\.rebuilt\.com: running at \w+/),
    ]);
    expect(await reinstalls()).toBe(1);
    expect(await server()).toMatchObject({ rebuild_operation_id: null, sending_hold: null });
    const after = await mailHost.status(serverAccess(world.context, await server()));
    expect(after).toMatchObject({ domains: before.domains, mailboxes: before.mailboxes });
    expect(after.certificate).toEqual(before.certificate);
    expect(await inbox()).toBe(1);
    await world.context.mailTransport.checkSubmission(mailbox);
  }, 180_000);

  it('is in the audit log of the account', async () => {
    const { db } = world.context;
    const { user_id: userId } = await server();
    const entries = db.selectFrom('audit_log').selectAll().where('user_id', '=', userId);
    expect(await entries.where('actor_kind', '=', 'operator').execute()).toMatchObject([
      {
        action: 'hosts.rebuild',
        actor_name: 'ann',
        reason: 'a test',
        resource_type: 'server',
        resource_id: String(serverId),
      },
    ]);
  });
});

describe('outreach hosts rebuild of a host in trouble', () => {
  const ask = (...options: string[]) =>
    outreach('hosts', 'rebuild', String(serverId), ...options, ...WORDS);
  const resolve = async (err: string, action: string) => {
    const { operationId } = /operation (?<operationId>\d+)/.exec(err)!.groups!;
    const answer = ['ops', 'resolve', operationId!, '--action', action, ...WORDS];
    expect((await outreach(...answer)).code).toBe(0);
    return Number(operationId);
  };
  const fault = (operation: string, more: object = {}) =>
    world.sandbox.control('POST', '/faults', {
      vendor: 'ssh',
      operation,
      kind: 'timeout_before_effect',
      ...more,
    });
  const ended = async (operationId: number) => {
    const finishedAt = async () => (await getOperation(world.context.db, operationId)).finished_at;
    await expect.poll(finishedAt, { timeout: 60_000 }).not.toBe(null);
  };
  const clear = () => world.sandbox.control('DELETE', '/faults');
  const ail = async (signs: object) =>
    world.sandbox.control('PUT', `/mail/hosts/${(await server()).ipv4}`, signs);

  it('does not wipe it once more where the command is repeated', async () => {
    const { code, err } = await ask('--backup', 'none');
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(/has just made mail\.rebuilt\.com anew/),
    ]);
    expect([await reinstalls(), await inbox()]).toEqual([1, 1]);
  });

  it('leaves the host as it was where it is given up before the vendor is asked', async () => {
    const before = await reinstalls();
    const { code, out, err } = await ask(
      '--again',
      '--backup',
      'mail.rebuilt.com-of-nobody.sealed',
    );
    expect([code, out]).toEqual([5, expect.stringMatching(/blocked +host_backup/)]);
    expect(await server()).toMatchObject({ sending_hold: 'rebuilding' });
    await ended(await resolve(err, 'compensate'));
    expect(await server()).toMatchObject({ sending_hold: null });
    expect(await reinstalls()).toBe(before);
    expect(await inbox()).toBe(1);
  }, 120_000);

  it('gives a host that is not saved its newest backup, and keeps it closed while it is not well', async () => {
    const before = await reinstalls();
    await fault('EXEC /merge-backup', { kind: 'reset' });
    const half = await ask('--again', '--backup', 'newest');
    expect([half.code, half.out]).toEqual([5, expect.stringMatching(/blocked +host_restore/)]);
    await clear();
    // A sign of the new system: what ails the old one is gone with it.
    await ail({ stoppedServices: ['dovecot'] });
    await resolve(half.err, 'retry');
    const { code, err } = await ask();
    expect([code, err]).toEqual([5, expect.stringMatching(/is blocked at host_verify/)]);
    // It has been wiped: nobody sends from it, and nobody gives it up.
    expect(await server()).toMatchObject({ sending_hold: 'rebuilding' });
    await expect(inbox()).rejects.toThrow(/IMAP of mail\.rebuilt\.com/);
    const { operationId } = /operation (?<operationId>\d+)/.exec(err)!.groups!;
    const compensate = ['ops', 'resolve', operationId!, '--action', 'compensate', ...WORDS];
    expect((await outreach(...compensate)).code).not.toBe(0);

    const upgrade = await outreach('hosts', 'upgrade', ...WORDS);
    expect([upgrade.code, upgrade.err]).toEqual([
      4,
      expect.stringMatching(/Operation \d+ is at work on mail\.rebuilt\.com: wait/),
    ]);
    const saved = await outreach('hosts', 'backup', String(serverId));
    expect([saved.code, saved.out]).toEqual([5, expect.stringMatching(/is being made anew/)]);

    await ail({});
    await fault('LOGIN', { vendor: 'imap', kind: 'reset' });
    await resolve(err, 'retry');
    const unreached = await ask();
    expect([unreached.code, unreached.out]).toEqual([
      5,
      expect.stringMatching(/blocked +host_verify .*is not well/),
    ]);
    expect(await server()).toMatchObject({ sending_hold: 'rebuilding' });
    await clear();
    await ended(await resolve(err, 'retry'));
    expect(await server()).toMatchObject({ sending_hold: null });
    expect(await reinstalls()).toBe(before + 1);
    expect(await inbox()).toBe(1);
  }, 180_000);

  it('is refused beside other work on the host', async () => {
    await ail({ closedPorts: [993] });
    await world.context.db
      .updateTable('servers')
      .set({ program: 'older' })
      .where('id', '=', serverId)
      .execute();
    const upgrade = await outreach('hosts', 'upgrade', ...WORDS);
    expect(upgrade.code).toBe(5);
    const { code, err } = await ask();
    expect([code, err]).toEqual([4, expect.stringMatching(/is at work on mail\.rebuilt\.com/)]);
    await ail({});
    await resolve(upgrade.err, 'retry');
    expect((await outreach('hosts', 'upgrade', ...WORDS)).code).toBe(0);
  }, 120_000);

  it('makes a host without its mail where that is asked for, and where it answers nobody', async () => {
    await fault('EXEC /stop-mail', { kind: 'reset', times: 1 });
    expect((await ask('--again', '--backup', 'none')).code).toBe(0);
    await clear();
    expect(await inbox()).toBe(0);
    await world.context.mailTransport.checkSubmission(mailbox);
  }, 120_000);

  it('names a server that is none, and a backup that can be none', async () => {
    expect((await outreach('hosts', 'rebuild', '999', ...WORDS)).code).toBe(3);
    expect((await ask('--backup', '../secret.sealed')).code).toBe(2);
  });
});

const aDayPasses = () =>
  world.context.db
    .updateTable('operations')
    .set({ finished_at: sql`finished_at - interval '1 day'` })
    .where('kind', '=', 'rebuildServer')
    .execute();

describe('the runbook', () => {
  it('has commands that do what it says', async () => {
    const blocks = shellBlocks(readFileSync('docs/runbook.md', 'utf8'));
    const ours = blocks.filter(({ section }) => section === 'Rebuild a host');
    expect(ours).toHaveLength(3);
    const shell = await openShell(environment, []);
    try {
      for (const { command } of ours) {
        await aDayPasses();
        const said = await shell.run(command, { SERVER: String(serverId) });
        expect(said).toMatch(/mail\.rebuilt\.com/);
      }
    } finally {
      await shell.close();
    }
  }, 180_000);
});

describe('outreach hosts backup', () => {
  it('saves each host into a sealed file', async () => {
    const { code, out } = await outreach('hosts', 'backup', '--json');
    expect(code).toBe(0);
    const [saved] = JSON.parse(out) as { backup: string }[];
    expect(saved).toMatchObject({ serverId, host: 'mail.rebuilt.com', error: null });
    expect(readdirSync(folder)).toContain(saved!.backup);
    expect(readFileSync(join(folder, saved!.backup)).includes('mailboxes')).toBe(false);
  });

  it('says which host was not saved, and leaves no file of it', async () => {
    const before = readdirSync(folder);
    await world.sandbox.control('POST', '/faults', {
      vendor: 'ssh',
      operation: 'EXEC /save-host',
      kind: 'reset',
      times: 1,
    });
    const { code, out } = await outreach('hosts', 'backup', String(serverId));
    expect([code, out]).toEqual([5, expect.stringMatching(/mail\.rebuilt\.com .*SSH to/)]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('needs a folder, and a host that is one', async () => {
    expect((await outreach('hosts', 'backup', '999')).code).toBe(3);
    const { HOST_BACKUP_DIR: _folder, ...without } = environment;
    const io = { out: () => {}, err: () => {}, environment: without };
    expect(await runCommand(['hosts', 'backup'], io)).toBe(4);
  });
});
