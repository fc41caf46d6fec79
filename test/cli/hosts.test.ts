/** `outreach hosts` with a worker and mail hosts: what it does to each of them, and where it stops. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { runCommand } from '../../src/cli/program.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
import { giveOlderProgram } from '../support/provisioning/server-subjects.ts';
import { openShell, shellBlocks } from '../support/sources/runbook.ts';
import { FLOW_ENVIRONMENT } from '../support/provisioning/flow-subjects.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { providerError } from '../support/vendors/provider-error.ts';

let world: ProvisioningWorld;
let environment: Record<string, string>;
const servers: number[] = [];

beforeAll(async () => {
  world = await startProvisioningWorld({ environment: FLOW_ENVIRONMENT });
  environment = { DATABASE_URL: world.database.url, TEMPORAL_ADDRESS: world.temporal.address };
  const userId = await world.fundedUser(20_000);
  for (const domain of ['first-host.com', 'second-host.com']) {
    const { id } = await createCluster(world.context, userId, { domain, useExistingVps: false });
    const { operation_id } = await getCluster(world.context.db, id);
    await awaitOperation(world.context, operation_id!, 120_000);
    servers.push((await getCluster(world.context.db, id)).server_id!);
  }
}, 300_000);
afterAll(() => world?.close());

async function outreach(...argv: string[]) {
  const said: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    environment,
  };
  const words = ['list', 'backup'].includes(argv[0]!)
    ? []
    : ['--reason', 'a test', '--actor', 'ann'];
  const code = await runCommand(['hosts', ...argv, ...words], io);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

const server = (id: number) => getServer(world.context.db, id);
const access = async (id: number) => serverAccess(world.context, await server(id));

describe('outreach hosts list', () => {
  it('shows each host that is in use', async () => {
    const { code, out } = await outreach('list', '--json');
    expect(code).toBe(0);
    const sshPublicKey = expect.stringMatching(/^ssh-ed25519 /);
    expect(JSON.parse(out)).toMatchObject([
      { serverId: servers[0], host: 'mail.first-host.com', clusters: 1, sshPublicKey },
      { serverId: servers[1], host: 'mail.second-host.com', clusters: 1, sshPublicKey },
    ]);
    const none = { program: null, health_checked_at: null };
    const { db } = world.context;
    const before = await db
      .updateTable('servers')
      .set(none)
      .where('id', '=', servers[0]!)
      .returning(['program', 'health_checked_at'])
      .execute();
    expect(before).toEqual([none]);
    const listed = await outreach('list');
    expect(listed.out).toMatch(/mail\.first-host\.com .* not asked yet /);
    const asked = { health_checked_at: new Date() };
    await db.updateTable('servers').set(asked).where('id', '=', servers[0]!).execute();
    expect((await outreach('list')).out).toMatch(/mail\.first-host\.com .* older /);
  });
});

describe('outreach hosts backup', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-backups-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const backUp = (...argv: string[]) => {
    const { OUTBOUND_PROXY, ENCRYPTION_KEYS } = world.context.config;
    Object.assign(environment, { OUTBOUND_PROXY, ENCRYPTION_KEYS });
    return outreach('backup', ...argv);
  };

  it('saves every host into a sealed file of its own', async () => {
    const { code, out } = await backUp('--to', folder, '--json');
    expect(code).toBe(0);
    const lines = JSON.parse(out) as { serverId: number; backup: string; error: null }[];
    expect(lines.map(({ serverId, error }) => [serverId, error])).toEqual(
      servers.map((id) => [id, null]),
    );
    expect(readdirSync(folder).toSorted()).toEqual(lines.map(({ backup }) => backup).toSorted());
    for (const { backup } of lines) {
      const sealed = readFileSync(join(folder, backup));
      expect([sealed.toString('latin1', 0, 4), sealed.includes('PRIVATE KEY')]).toEqual([
        'OSS1',
        false,
      ]);
    }
  });

  it('says which host could not be saved, and goes on with the others', async () => {
    await world.sandbox.control('POST', '/faults', {
      vendor: 'ssh',
      operation: 'EXEC /save-host',
      kind: 'error_500',
      times: 1,
    });
    const { code, out } = await backUp('--to', folder);
    expect([code, out]).toEqual([5, expect.stringMatching(/second-host\.com-\d+-\w+\.sealed/)]);
    expect(out).toMatch(/first-host\.com .*simulated fault|first-host\.com .*exit code 1/);
  });

  it('needs a folder, and a server that is there', async () => {
    expect((await backUp()).code).toBe(4);
    expect((await backUp('999', '--to', folder)).code).toBe(3);
  });
});

describe('outreach hosts rotate-ssh-key', () => {
  it('gives every host another key, and the old one opens none of them', async () => {
    const before = await Promise.all(servers.map(access));
    const { code, out } = await outreach('rotate-ssh-key');
    expect([code, out]).toEqual([0, expect.stringMatching(/mail\.second-host\.com .*succeeded/)]);
    for (const [index, id] of servers.entries()) {
      const row = await server(id);
      expect(row).toMatchObject({ next_client_public_key: null, old_client_public_key: null });
      expect((await world.context.mailHost.status(await access(id))).hostName).toBe(row.host_name);
      const old = await providerError(world.context.mailHost.status(before[index]!));
      expect(old.facts.providerCode).toBe('key_refused');
    }
  }, 120_000);

  it('stops at the first host that does not take it, which keeps the key of before', async () => {
    const [id] = servers;
    const { db } = world.context;
    const { host_public_key } = await server(id!);
    const withKey = (key: string) =>
      db.updateTable('servers').set({ host_public_key: key }).where('id', '=', id!).execute();
    const before = await Promise.all(servers.map(server));
    await withKey(
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    );
    const { code, out, err } = await outreach('rotate-ssh-key');
    expect([code, err]).toEqual([5, expect.stringMatching(/^Stopped at mail\.first-host\.com/m)]);
    expect(out).not.toContain('second-host');
    const after = await Promise.all(servers.map(server));
    const used = (rows: typeof before) => rows.map((row) => row.client_public_key);
    expect(used(after)).toEqual(used(before));

    await withKey(host_public_key);
    const { operationId } = /operation (?<operationId>\d+)/.exec(err)!.groups!;
    const answer = ['ops', 'resolve', operationId!, '--action', 'retry', '--reason', 'it is back'];
    expect(await runCommand(answer, { out: () => {}, err: () => {}, environment })).toBe(0);
    expect((await outreach('rotate-ssh-key', String(id))).code).toBe(0);
    expect((await server(id!)).client_public_key).not.toBe(before[0]!.client_public_key);
    expect((await server(servers[1]!)).client_public_key).toBe(before[1]!.client_public_key);
  }, 180_000);

  it('names a server that is none', async () => {
    expect((await outreach('rotate-ssh-key', '999')).code).toBe(3);
  });
});

describe('outreach hosts upgrade', () => {
  const older = () => Promise.all(servers.map((id) => giveOlderProgram(world.context, id)));
  const programs = async () =>
    Promise.all(
      servers.map(async (id) => (await world.context.mailHost.status(await access(id))).program),
    );
  const ail = async (id: number, signs: object) => {
    const { ipv4 } = await server(id);
    expect((await world.sandbox.control('PUT', `/mail/hosts/${ipv4}`, signs)).status).toBe(200);
  };

  it('begins with the canary, and stops there when it is not well', async () => {
    const before = await older();
    const [first, second] = servers;
    await ail(second!, { stoppedServices: ['dovecot'] });
    const { code, out, err } = await outreach('upgrade', '--canary', String(second));
    expect([code, err]).toEqual([5, expect.stringMatching(/Stopped at mail\.second-host\.com/)]);
    expect(err).toMatch(/^mail\.second-host\.com: \w+ at /m);
    expect(out).toContain('Not running: dovecot');
    expect(await programs()).toEqual([before[0], world.context.mailHost.program]);
    expect((await server(second!)).troubles).toMatchObject([{ kind: 'services' }]);

    // It has the program, but nobody has answered: the others have to wait for that.
    const meanwhile = await outreach('upgrade', '--canary', String(second));
    expect([meanwhile.code, meanwhile.out]).toEqual([5, expect.stringContaining('host_verify')]);
    expect(await programs()).toEqual([before[0], world.context.mailHost.program]);

    await ail(second!, {});
    const { operationId } = /operation (?<operationId>\d+)/.exec(err)!.groups!;
    const answer = ['ops', 'resolve', operationId!, '--action', 'retry', '--reason', 'it is back'];
    expect(await runCommand(answer, { out: () => {}, err: () => {}, environment })).toBe(0);
    // The same command goes on where it was: the canary is done, or waited for.
    const again = await outreach('upgrade', '--canary', String(second), '--batch', '5');
    expect(again.code).toBe(0);
    expect(await programs()).toEqual(servers.map(() => world.context.mailHost.program));
    expect((await server(first!)).program).toBe(world.context.mailHost.program);
    expect((await outreach('upgrade')).out).toContain('No host needs it');
  }, 180_000);

  it('puts the program of before back where an operator gives it up', async () => {
    const before = await older();
    const [first] = servers;
    await ail(first!, { closedPorts: [993] });
    const { code, err } = await outreach('upgrade', String(first));
    expect(code).toBe(5);
    const { operationId } = /operation (?<operationId>\d+)/.exec(err)!.groups!;
    const answer = ['ops', 'resolve', operationId!, '--action', 'compensate', '--reason', 'no'];
    expect(await runCommand(answer, { out: () => {}, err: () => {}, environment })).toBe(0);
    await expect.poll(programs, { timeout: 30_000 }).toEqual(before);
    await ail(first!, {});
  }, 180_000);

  it('names a canary that is none', async () => {
    expect((await outreach('upgrade', '--canary', '999')).code).toBe(3);
  });
});

describe('the runbook', () => {
  it('has commands that do what it says', async () => {
    const text = await readFile('docs/runbook.md', 'utf8');
    const ours = shellBlocks(text).filter(({ command }) => command.includes('outreach hosts'));
    // Those are run by hosts-rebuild.test.ts, which has a folder for backups.
    const blocks = ours.filter(({ section }) => section !== 'Rebuild a host');
    expect(blocks.length).toBeGreaterThan(1);
    const shell = await openShell(environment, []);
    try {
      for (const { command } of blocks) {
        await expect(shell.run(command, { SERVER: String(servers[0]) })).resolves.toMatch(
          /mail\.first-host\.com/,
        );
      }
    } finally {
      await shell.close();
    }
  }, 180_000);
});
