/** `outreach replay` in a world in which everything has been killed: each history fits, but no other build. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { developmentBundle } from '../../src/temporal/workflow-bundle.ts';
import { outreachIn } from './outreach-in.ts';
import type { SharedWorld } from './shared-world.ts';

interface Said {
  listed: number;
  replayed: number;
  failed: { type: string; error: string }[];
}

export function replayTests(world: () => SharedWorld): void {
  test('outreach replay: what is under way, and what has ended, fits this build', async () => {
    const { code, stdout } = await outreachIn(world(), ['replay', '--sample', '10']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^WORKFLOW +OPEN +CLOSED/)]);
    expect(stdout).toMatch(/^provisionCluster +\d+ +[1-9]\d* +0$/m);
    expect(stdout).toMatch(/^\d+ replayed of \d+ runs\.$/m);
  });

  test('outreach replay: a build that calls a step by another name is found out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-bundle-'));
    const bundle = join(folder, 'workflow-bundle.js');
    const code = await developmentBundle();
    // As a careless change would do it: a step that every provisioning begins with gets another name.
    const broken = code.replaceAll('domain_purchase.look', 'domain_purchase.find');
    expect(broken).not.toBe(code);
    await writeFile(bundle, broken);
    const argv = ['replay', '--sample', '10', '--json', '--bundle', bundle];
    const { code: exit, stdout, stderr } = await outreachIn(world(), argv);
    await rm(folder, { recursive: true });
    const { replayed, failed } = JSON.parse(stdout) as Said;
    expect([exit, stderr]).toEqual([5, expect.stringContaining('do not fit this build')]);
    expect(replayed).toBeGreaterThan(failed.length);
    expect(failed.map(({ type }) => type)).toContain('provisionCluster');
    expect(failed[0]!.error).toMatch(/nondeterminism|TMPRL1100/i);
  });
}
