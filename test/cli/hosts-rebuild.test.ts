/** `outreach hosts backup` and `outreach hosts rebuild` with a worker and mail hosts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { runCommand } from '../../src/cli/program.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { createMailbox } from '../../src/services/mailboxes/mailboxes.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
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
