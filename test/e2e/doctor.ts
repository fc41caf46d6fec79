/** `outreach doctor` in a world that is up: nothing is wrong there, and what goes wrong is named. */
import { afterEach, describe, expect, test } from 'vitest';
import { outreachIn } from './outreach-in.ts';
import type { SharedWorld } from './shared-world.ts';

/** What is put wrong at a vendor, and the only line that names it. */
const FAULTS = [
  ['hetzner', { readOnly: true }, 'hetzner: permission to write'],
  ['hetzner', { retired: ['cx23'] }, 'hetzner: server type, location, image'],
  ['vultr', { permissions: ['billing'] }, 'vultr: permissions'],
  ['porkbun', { balanceCents: 0 }, 'porkbun: credit'],
] as const;

export function doctorTests(world: () => SharedWorld): void {
  describe('outreach doctor', () => {
    afterEach(async () => {
      for (const [vendor] of FAULTS) await world().control('DELETE', `/accounts/${vendor}`);
    });

    test('finds nothing wrong in the world, whose settings it reads from its file', async () => {
      const { code, stdout, stderr } = await outreachIn(world(), ['doctor']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toMatch(/\b(failed|warning)\b/);
      for (const vendor of ['namecom', 'porkbun', 'hetzner', 'vultr', 'stripe', 'network']) {
        expect(stdout).toMatch(new RegExp(`^${vendor} .* ok `, 'm'));
      }
      expect(stdout).not.toContain(world().own.stripeWebhookSecret);
    });

    test.each(FAULTS)('names what is wrong at %s: %o', async (vendor, state, line) => {
      await world().control('PUT', `/accounts/${vendor}`, state);
      const { code, stdout } = await outreachIn(world(), ['doctor', '--json']);
      const { lines } = JSON.parse(stdout) as { lines: Record<string, string>[] };
      const wrong = lines.filter(({ state: found }) => found === 'failed' || found === 'warning');
      expect(wrong.map((each) => `${each['vendor']}: ${each['question']}`)).toEqual([line]);
      expect([code, wrong[0]!['cure']]).toEqual([5, expect.stringMatching(/\w/)]);
    });
  });
}
