/** `outreach clusters smarthost` with a worker and a mail host: a host that runs follows the setting. */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { runCommand } from '../../src/cli/program.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
import { showOperation } from '../../src/services/operations/ops.ts';
import { SET_SMARTHOST_ID } from '../../workflows/contracts/set-smarthost.ts';
import { openShell, shellBlocks } from '../support/sources/runbook.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

const { host, port, user, password } = SMARTHOST;

let world: ProvisioningWorld;
let clusterId: number;
let serverId: number;

beforeAll(async () => {
  const SMARTHOST_URL = `smtp://${user}:${password}@${host}:${port}`;
  world = await startProvisioningWorld({ environment: { SMARTHOST_URL } });
  const userId = await world.fundedUser(10_000);
  const order = { domain: 'relayed.com', useExistingVps: false };
  ({ id: clusterId } = await createCluster(world.context, userId, order));
  const { operation_id } = await getCluster(world.context.db, clusterId);
  await awaitOperation(world.context, operation_id!, 60_000);
  serverId = (await getCluster(world.context.db, clusterId)).server_id!;
});
afterAll(() => world?.close());

async function outreach(...argv: string[]) {
  const said: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    environment: { DATABASE_URL: world.database.url, TEMPORAL_ADDRESS: world.temporal.address },
  };
  const words = ['--reason', 'the relay is another one', '--actor', 'ann'];
  const code = await runCommand(['clusters', 'smarthost', ...argv, ...words], io);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

const access = async () => serverAccess(world.context, await getServer(world.context.db, serverId));
const wayOut = async () => (await world.context.mailHost.status(await access())).smarthost;

/** As a host that was made before there was a smarthost. */
async function sendDirectly(): Promise<void> {
  const { ACME_DIRECTORY_URL: acmeDirectoryUrl, OUTBOUND_PROXY } = world.context.config;
  const tools = { timeoutMs: 15_000, outboundProxy: OUTBOUND_PROXY };
  await createMailHost({ acmeDirectoryUrl, tools }).setWayOut(await access());
  expect(await wayOut()).toBeNull();
}

describe('a mail host that runs', () => {
  it('is brought to the smarthost of the workers, and the log says who did it and why', async () => {
    await sendDirectly();
    const { code, out } = await outreach();
    expect([code, out]).toEqual([0, expect.stringContaining(`${host}:${port} (open)`)]);
    expect(await wayOut()).toEqual({ host, port, state: 'open' });
    const { operation_id } = await getCluster(world.context.db, clusterId);
    const { log } = await showOperation(world.context, operation_id!);
    expect(log.at(-1)).toMatchObject({
      kind: 'smarthost_set',
      actor: 'operator:ann',
      reason: 'the relay is another one',
      detail: { sendsBy: `${host}:${port} (open)` },
    });
  });

  it('is brought there alone, by the number of its cluster', async () => {
    await sendDirectly();
    const { code, out } = await outreach(String(clusterId), '--json');
    const { isDone, hosts } = JSON.parse(out);
    expect([code, isDone]).toEqual([0, true]);
    expect(hosts).toMatchObject([{ serverId, host: 'mail.relayed.com', error: null }]);
    expect(await wayOut()).toMatchObject({ host });
  });

  it('that cannot be reached is named, and the command says that something is left', async () => {
    const { db } = world.context;
    const { host_public_key } = await getServer(db, serverId);
    const withKey = (key: string) =>
      db.updateTable('servers').set({ host_public_key: key }).where('id', '=', serverId).execute();
    await withKey(
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    );
    const { code, out, err } = await outreach();
    await withKey(host_public_key);
    expect(code).toBe(5);
    expect(out).toMatch(/mail\.relayed\.com .*mail-host/);
    expect(err).toBe('1 of 1 hosts were not set.');
  });
});

describe('a mail host whose key cannot be opened', () => {
  it('is named as one that was missed, and stops nobody else', async () => {
    const { db } = world.context;
    const { client_private_key } = await getServer(db, serverId);
    const withKey = (key: Buffer) =>
      db
        .updateTable('servers')
        .set({ client_private_key: key })
        .where('id', '=', serverId)
        .execute();
    await withKey(Buffer.from('lost'));
    const { code, out } = await outreach('--json');
    await withKey(client_private_key);
    const { isDone, hosts } = JSON.parse(out);
    expect([code, isDone]).toEqual([5, true]);
    expect(hosts).toMatchObject([{ serverId, error: expect.stringMatching(/reason of ours/) }]);
  });
});

describe('the command', () => {
  it('stands in the documents as it works', async () => {
    const text = await readFile('docs/providers/README.md', 'utf8');
    const blocks = shellBlocks(text).filter(({ command }) => command.includes('smarthost'));
    expect(blocks).toHaveLength(2);
    const { url: DATABASE_URL } = world.database;
    const shell = await openShell({ DATABASE_URL, TEMPORAL_ADDRESS: world.temporal.address }, []);
    try {
      for (const { command } of blocks) {
        await sendDirectly();
        await shell.run(command, { CLUSTER: String(clusterId) });
        expect(await wayOut()).toMatchObject({ host });
      }
    } finally {
      await shell.close();
    }
  });

  it('goes through all hosts, however many these are', async () => {
    const { db } = world.context;
    // None of them can be reached: they have no address.
    await sql`with d as (insert into domains (user_id, name, provider, status)
        select user_id, n || '-' || name, provider, status from domains, generate_series(1, 23) n
        returning id, user_id, name),
      s as (insert into servers (user_id, provider, intent_name, host_name, status,
          client_private_key, client_public_key, host_private_key, host_public_key)
        select d.user_id, 'hetzner', d.name, 'mail.' || d.name, 'active', '', '', '', '' from d
        returning id, host_name)
      insert into clusters (user_id, domain_id, server_id, operation_id, name, status, use_existing_vps)
      select d.user_id, d.id, s.id, c.operation_id, d.name, 'active', false
      from d join s on s.host_name = 'mail.' || d.name, clusters c where c.id = ${clusterId}`.execute(
      db,
    );
    const { code, out, err } = await outreach('--json');
    const { hosts } = JSON.parse(out) as { hosts: { serverId: number; error: string | null }[] };
    expect([code, err]).toEqual([5, '23 of 24 hosts were not set.']);
    expect(new Set(hosts.map(({ serverId: id }) => id)).size).toBe(24);
    expect(hosts.filter(({ error }) => error === null)).toMatchObject([{ serverId }]);
  });

  it('ends with 3 where no such cluster is up', async () => {
    expect(await outreach('4711')).toMatchObject({ code: 3, err: 'Active cluster not found' });
  });

  it('ends with 4 while somebody does the same', async () => {
    const { client } = world.temporal;
    const workflowId = SET_SMARTHOST_ID;
    const other = await client.workflow.start('nobody', { workflowId, taskQueue: 'none' });
    expect(await outreach()).toMatchObject({ code: 4, err: expect.stringMatching(/already/) });
    await other.terminate();
  });
});
