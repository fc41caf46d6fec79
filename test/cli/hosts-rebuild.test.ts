/** `outreach hosts backup` and `outreach hosts rebuild` with a worker and mail hosts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
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
}, 300_000);
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true });
});

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

describe('outreach hosts backup', () => {
  it('saves each host into a sealed file', async () => {
    const { code, out } = await outreach('hosts', 'backup', '--json');
    expect(code).toBe(0);
    const [saved] = JSON.parse(out) as { backup: string }[];
    expect(saved).toMatchObject({ serverId, host: 'mail.rebuilt.com', error: null });
    expect(readdirSync(folder)).toEqual([saved!.backup]);
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
