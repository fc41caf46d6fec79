/** The objectives, and the rules of docs/monitoring, which Prometheus' own tool evaluates. */
import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CLIENT_CODES } from '../../src/domain/failures.ts';
import { FLOWS } from '../../src/domain/operations/flows.ts';
import {
  endOutcome,
  keepsObjective,
  OBJECTIVE_KINDS,
  objectiveOf,
  OBJECTIVES,
} from '../../src/domain/operations/objectives.ts';
import { root } from './documents.ts';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
}

const readRules = async () => {
  const text = await readFile(join(root, 'docs/monitoring/slo.rules.yml'), 'utf8');
  return (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
};

describe('the objectives', () => {
  it('can burn fast enough for every alarm', () => {
    const promised = FLOWS.flatMap(({ kind }) =>
      OBJECTIVE_KINDS.flatMap((slo) => objectiveOf(kind, slo) ?? []),
    );
    expect(promised.length).toBeGreaterThan(FLOWS.length);
    // All bad is the highest burn rate there is: 1 divided by the budget.
    expect(promised.filter((ratio) => ratio >= 1 || 1 / (1 - ratio) <= 14.4)).toEqual([]);
  });

  it('judge what ends: good, bad, or nothing', () => {
    const { seconds } = OBJECTIVES.provisionCluster.timeToDone!;
    const end = {
      kind: 'provisionCluster',
      outcome: 'succeeded',
      seconds,
      blockedSeconds: 600,
    } as const;
    const judged = (changes: object) =>
      OBJECTIVE_KINDS.map((slo) => keepsObjective({ ...end, ...changes }, slo));
    expect(judged({})).toEqual([true, true, true]);
    expect(judged({ seconds: seconds + 1, blockedSeconds: 601 })).toEqual([true, false, false]);
    expect(judged({ outcome: 'failed' })).toEqual([false, undefined, true]);
    expect(judged({ outcome: 'declined' })).toEqual([undefined, undefined, true]);
    // It waited for its client, nobody knows how long.
    expect(judged({ seconds: null })).toEqual([true, undefined, true]);
    expect(judged({ kind: 'runCampaign' })).toEqual([true, undefined, undefined]);
  });

  it('do not count what its client cancelled or has to cure', () => {
    expect(endOutcome('succeeded', undefined)).toBe('succeeded');
    expect(endOutcome('failed', 'CANCELLED')).toBe('declined');
    expect(endOutcome('failed', 'CARD_DECLINED')).toBe('declined');
    expect(endOutcome('failed', 'INSUFFICIENT_BALANCE')).toBe('declined');
    expect(endOutcome('failed', 'DOMAIN_REJECTED')).toBe('declined');
    expect(endOutcome('failed', 'NO_LONGER_WANTED')).toBe('declined');
    expect(CLIENT_CODES.map((code) => endOutcome('failed', code))).toEqual(
      CLIENT_CODES.map(() => 'declined'),
    );
    expect(endOutcome('failed', 'NO_CAPACITY')).toBe('failed');
    expect(endOutcome('failed', undefined)).toBe('failed');
  });
});

describe('the rules of the objectives', () => {
  it('have a fast and a slow alarm for each kind, over the windows of the SRE workbook', async () => {
    const alarms = (await readRules()).filter(({ alert }) => alert);
    const asked = alarms.map(({ expr }) => ({
      slo: /slo="(\w+)"/.exec(expr)?.[1],
      burns: [...expr.matchAll(/burn:rate(\w+)\{[^}]*\} > ([\d.]+)/g)].map(([, ...one]) => one),
    }));
    const fast = [
      ['1h', '14.4'],
      ['5m', '14.4'],
    ];
    const slow = [
      ['6h', '6'],
      ['30m', '6'],
    ];
    expect(asked).toEqual(
      OBJECTIVE_KINDS.flatMap((slo) => [fast, slow].map((burns) => ({ slo, burns }))),
    );
  });

  const tool = promtool();
  it.skipIf(!tool)(
    'come to the burn rates and alarms that the numbers say (promtool)',
    async () => {
      const file = join(root, 'test/docs/slo-rules.promtool.yml');
      const { stdout } = await promisify(execFile)(tool!, ['test', 'rules', file]);
      expect(stdout).toContain('SUCCESS');
    },
  );

  it.skipIf(!tool)('alarm at what is to be cured, and at nothing else (promtool)', async () => {
    const file = join(root, 'test/docs/alerts.promtool.yml');
    const { stdout } = await promisify(execFile)(tool!, ['test', 'rules', file]);
    expect(stdout).toContain('SUCCESS');
  });
});

/** Prometheus' checker of rules, where this machine has it (Debian: the package `prometheus`). */
function promtool(): string | undefined {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return 'promtool';
  } catch {
    return undefined;
  }
}
