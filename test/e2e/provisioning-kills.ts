/** A small part of `npm run drill -- chaos`: random kills and faults while clusters come and go. */
import { expect, test } from 'vitest';
import { findViolations } from '../chaos/provisioning-books.ts';
import { runProvisioningDrill } from '../chaos/provisioning-drill.ts';
import type { SharedWorld } from './shared-world.ts';

/** A new domain, one that is bought before, one that is imported; new and existing server; both registrars. */
const DRILL = { clusters: 3, kills: 2, seed: 51 };

export function provisioningKillTests(world: () => SharedWorld): void {
  test(
    'clusters that come and go while processes die: nothing doubled, orphaned, lost or stuck',
    { timeout: 480_000 },
    async () => {
      const said: string[] = [];
      const report = (line: string) => void said.push(line);
      const result = await runProvisioningDrill(world(), { ...DRILL, report });
      const found = { said, ...(await findViolations(world(), result)) };
      expect(found).toEqual({
        said,
        doublePurchases: [],
        orphanServers: [],
        lostCents: [],
        stuck: [],
      });
      expect(Object.values(result.kills).reduce((sum, times) => sum + times, 0)).toBe(DRILL.kills);
    },
  );
}
