/**
 * A slice of `npm run drill -- restore`: while clusters are ordered, deleted and paid for, the product's Postgres is
 * put back to an earlier moment by the commands of docs/runbook.md, or a standby that lags behind takes over.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { runRestoreDrill } from './drill.ts';
import { startRestorable } from './world.ts';

/** A minute on quiet cores; everything is started twice. */
const TEST_MS = 900_000;
const PART_MS = 300_000;

describe('after a Postgres was put back beside a Temporal that was not', () => {
  let stop = async () => undefined as void;
  afterAll(() => stop(), 120_000);

  it.each([{ putBack: 'postgres', seed: 1 }] as const)(
    'each cluster is there once, nobody pays twice, and no server is left: $putBack, seed $seed',
    async ({ putBack, seed }) => {
      const stateDir = await makeStateDir();
      const report = (line: string) => process.stdout.write(`restore: ${line}\n`);
      stop = () => removeStateDir(stateDir);
      const started = (end: () => Promise<void>) => {
        stop = async () => {
          await end();
          await removeStateDir(stateDir);
        };
      };
      const restorable = await startRestorable({
        stateDir,
        temporal: 'development',
        report,
        started,
      });
      const drill = { clusters: 3, seed, putBack, limitMs: PART_MS, report };
      const { problems } = await runRestoreDrill(restorable, drill);
      expect(problems).toEqual([]);
      expect(restorable.fleet.deaths).toEqual([]);
      await restorable.world.leave();
    },
    TEST_MS,
  );
});
