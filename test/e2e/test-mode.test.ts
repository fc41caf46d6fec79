/**
 * The whole guided tour by a test key, where every vendor of live mode is a server that counts: none of them hears
 * of it, and nothing of it is in the database of live mode.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { FIRST_TEST_ID } from '../../src/domain/accounts/modes.ts';
import { testCaFile, type WorldSettings } from '../../src/dev/processes/addresses.ts';
import { startWorld, type StartingWorld } from '../../src/dev/world.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';
import { runTour } from '../../src/dev/tour/index.ts';
import { sandboxSettings } from '../../src/settings/sandbox.ts';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { testModeDomainTests } from './test-mode-domains.ts';
import { testModeRecipientTests } from './test-mode-recipients.ts';
import { testModeSearchTests } from './test-mode-searches.ts';

const START_MS = 300_000;
const TOUR_MS = 240_000;

let canary: Server;
/** Requests to what live mode takes for its vendors. */
const heard: string[] = [];
let stateDir: string;
let starting: StartingWorld;
let world: WorldFile;

/**
 * Live mode: each address of a vendor is the canary's. The network outside, where clients' endpoints are, is that
 * of the one sandbox, so that the tour can have an endpoint.
 */
function liveSettings(settings: WorldSettings): Record<string, string> {
  const { port } = canary.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}`;
  const own = sandboxSettings({ url: at, dns: '', proxy: '', daySeconds: 1 });
  return {
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value.startsWith(at))),
    DNS_SERVERS: `127.0.0.1:${settings.ports.testDns}`,
    OUTBOUND_PROXY: `socks5://127.0.0.1:${settings.ports.testSocks}`,
    NODE_EXTRA_CA_CERTS: testCaFile(settings.stateDir),
  };
}

/** What the tour makes in test mode. */
const WORK = ['clusters', 'domains', 'mailboxes', 'leads', 'campaigns', 'sends'];
/** What it pays with there: play money, which moves no cent of live mode. */
const MONEY = [
  'checkouts',
  'holds',
  'ledger_entries',
  'ledger_transactions',
  'payment_events',
  'wallets',
];
/** Where money would be that the tour does not move. */
const OTHER_MONEY = [
  'auto_recharges',
  'payment_disputes',
  'payment_methods',
  'payment_refunds',
  'payment_reversals',
  'wallet_adjustments',
  'wallet_recharges',
];

async function rowsOf(db: ReturnType<typeof openDatabase>, table: string): Promise<number> {
  const counted = sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`;
  return Number((await counted.execute(db)).rows[0]!.n);
}

beforeAll(async () => {
  canary = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(500).end('{}');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  stateDir = await makeStateDir();
  starting = await startWorld({
    stateDir,
    ports: 'auto',
    fresh: true,
    daySeconds: 20,
    testMode: 'alone',
    instead: liveSettings,
    report: () => undefined,
  });
  world = await starting.ready;
}, START_MS);
afterAll(async () => {
  await starting?.stop();
  canary?.close();
  if (stateDir) await removeStateDir(stateDir);
}, 180_000);

describe('test mode', () => {
  it('would be heard: live mode asks the canary for a price', async () => {
    const live = createOutreach({ baseUrl: world.api, apiKey: world.apiKey, retries: 0 });
    await expect(live.domains.check({ body: { domains: ['heard.com'] } })).rejects.toThrow(
      'is not available',
    );
    expect(heard.length).toBeGreaterThan(0);
    heard.length = 0;
  });

  it(
    'does all of the tour without a request to a vendor, and without a row in live mode',
    async () => {
      const { api, sandbox, caFile } = world.testMode!;
      const tour = { api, sandbox, caFile, jwtSecret: world.jwtSecret };
      const { lastLine, clusterId } = await runTour(tour);
      expect(lastLine).toContain('In the inbox');
      expect(clusterId).toBeGreaterThanOrEqual(FIRST_TEST_ID);
      expect(heard).toEqual([]);

      const live = openDatabase(world.databaseUrl, { poolSize: 1, mode: 'live' });
      const test = openDatabase(world.databaseUrl.replace(/[^/]*$/, 'outreach_test'), {
        poolSize: 1,
        mode: 'test',
      });
      try {
        for (const table of [...WORK, ...MONEY]) {
          expect([table, await rowsOf(live, table)]).toEqual([table, 0]);
          expect([table, await rowsOf(test, table)]).not.toEqual([table, 0]);
        }
        for (const table of OTHER_MONEY) {
          expect([table, await rowsOf(live, table)]).toEqual([table, 0]);
        }
      } finally {
        await Promise.all([live.destroy(), test.destroy()]);
      }
    },
    TOUR_MS,
  );

  describe.concurrent('magic names', () => {
    const names = () => ({ world, heard });
    testModeDomainTests(names);
    testModeRecipientTests(names);
    testModeSearchTests(names);
  });

  it('lets nothing out: the proxy of its sandbox refuses what is outside', async () => {
    const { sandbox } = world.testMode!;
    const answer = await fetch(`${sandbox}/_sandbox/connections`);
    const { connections } = (await answer.json()) as {
      connections: { world: boolean; status: string }[];
    };
    expect(connections.length).toBeGreaterThan(0);
    const granted = connections.filter(({ status }) => status === 'REQUEST_GRANTED');
    expect(granted.filter((one) => !one.world)).toEqual([]);
  });
});
