/** An expired vendor token parks clusters; the runbook's commands see and resume all of them. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { openShell, shellBlocks } from '../support/sources/runbook.ts';
import { temporalCliPath } from '../support/workflows/temporal.ts';
import { eventually } from './account.ts';
import { booksOf } from './books.ts';
import {
  expireToken,
  rentServer,
  lastBlockedEvent,
  listedBy,
  blockClusters,
  BLOCKED_QUERY,
  renewToken,
  statusesOf,
  STEP,
  untilBlocked,
  type BlockedCluster,
} from './blocked-clusters.ts';
import { outreachIn } from './outreach-in.ts';
import type { SharedWorld } from './shared-world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Fifty of them: `npm run drill -- blocked-clusters`. */
const BLOCKED = 5;
/**
 * Their commands are run where databases are put back (`test/restore`), and where a vendor makes a host anew, which
 * takes its token (`test/cli/hosts-rebuild.test.ts`).
 */
const ELSEWHERE = ['Restore', 'Fail-over', 'Rebuild a host'];

export function onCallTests(world: () => SharedWorld): void {
  test(
    'an expired vendor token: one query finds all parked clusters, one command resumes them',
    { timeout: 420_000 },
    async () => {
      const serverId = await rentServer(world());
      await expireToken(world());
      const blocked = await blockClusters(world(), BLOCKED);
      const listed = await listedBy(world(), BLOCKED_QUERY, BLOCKED);
      expect(listed).toEqual(blocked.map(({ jobId }) => jobId).toSorted());

      for (const vendor of ['hetzner', 'vultr']) {
        const list = ['ops', 'list', '--blocked', '--provider', vendor, '--json'];
        const lines = JSON.parse(await outreach(world(), list)) as { resource: string }[];
        expect(lines).toHaveLength(BLOCKED);
      }

      const given = await runRunbook(world(), blocked, serverId);
      const waiting = await untilBlocked(world(), blocked, 0);
      expect(waiting.length).toBe(BLOCKED - given.compensated);

      await renewToken(world());
      const command = ['--step', STEP, '--reason', 'the token is renewed', '--actor', 'ann'];
      const resumed = await outreach(world(), ['ops', 'retry-all', ...command]);
      expect(resumed).toContain(`${waiting.length} blocked at ${STEP}: ${waiting.length} resumed.`);
      expect(await outreach(world(), ['ops', 'retry-all', ...command])).toContain('0 blocked');
      await eventually(
        'Active clusters',
        async () =>
          (await statusesOf(world(), waiting))['active'] === waiting.length ? true : undefined,
        120_000,
      );
      for (const { domain } of waiting) {
        expect(await booksOf(world(), domain)).toMatchObject({ orders: 1, liveServers: 1 });
      }
      expect(await resolvers(world(), waiting)).toEqual(waiting.map(() => 'operator:ann'));
      const { databaseUrl: DATABASE_URL } = world().file;
      const io = { out: () => undefined, err: () => undefined, environment: { DATABASE_URL } };
      expect(await runCommand(['wallet', 'audit'], io)).toBe(0);
    },
  );
}

/** Every command of docs/runbook.md, in its order, while the token is expired. */
async function runRunbook(
  world: SharedWorld,
  blocked: readonly BlockedCluster[],
  serverId: number,
): Promise<{ compensated: number }> {
  const all = shellBlocks(await readFile(join(root, 'docs/runbook.md'), 'utf8'));
  const blocks = all.filter(({ section }) => !ELSEWHERE.includes(section));
  const shell = await openShell(settingsOf(world), [dirname(await temporalCliPath())]);
  let compensated = 0;
  try {
    for (const { command } of blocks) {
      const [next] = await untilBlocked(world, blocked, 0);
      const since = await lastBlockedEvent(world);
      // The token is still expired: what is run again waits again, and the command may see it.
      const isRetry = command.includes('retry-all');
      await shell.run(isRetry ? `${command} || test $? -eq 5` : command, {
        OPERATION: String(next!.operationId),
        CLUSTER: String(next!.id),
        WORKFLOW: next!.jobId,
        CODEC_ENDPOINT: world.file.codecEndpoint.url,
        CODEC_TOKEN: world.file.codecEndpoint.token,
        SUBJECT: 'hetzner/outreach-0-1',
        SERVER: String(serverId),
        API: world.file.api,
        API_METRICS: world.file.metrics.api,
        WORKER_METRICS: world.file.metrics.worker,
      });
      if (command.includes('--action compensate')) {
        compensated += 1;
        await eventually('The undo', async () =>
          (await statusesOf(world, [next!]))['failed'] === 1 ? true : undefined,
        );
      } else if (/retry-all --(step|provider hetzner)|workflow signal/.test(command)) {
        await untilBlocked(world, blocked, since);
      } else if (command.includes('ops resolve')) {
        await untilBlocked(world, [next!], since);
      }
    }
  } finally {
    await shell.close();
  }
  return { compensated };
}

const settingsOf = ({ file, own }: SharedWorld) => ({
  DATABASE_URL: file.databaseUrl,
  TEMPORAL_ADDRESS: file.temporalAddress,
  TEMPORAL_NAMESPACE: file.temporalNamespace,
  ENCRYPTION_KEYS: own.encryptionKeys,
});

async function outreach(world: SharedWorld, argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await outreachIn(world, argv);
  // It says there how far it is.
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`);
  return stdout;
}

/** Who gave the last answer to each. */
async function resolvers({ db }: SharedWorld, blocked: readonly BlockedCluster[]) {
  const ids = blocked.map(({ operationId }) => operationId);
  const rows = await db
    .selectFrom('operation_events')
    .select(['operation_id', 'actor'])
    .where('operation_id', 'in', ids)
    .where('kind', '=', 'resolved')
    .orderBy('id', 'desc')
    .execute();
  return ids.map((id) => rows.find(({ operation_id }) => operation_id === id)?.actor);
}
