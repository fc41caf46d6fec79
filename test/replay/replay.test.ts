/**
 * Workflows that are under way must go on with the code of today.
 * docs/workflow-rules.md#changing-workflows.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { quietRuntime, workflowCode } from '../support/workflows/workflow-code.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));
const names = (await readdir(folder, { recursive: true }))
  .filter((name) => name.endsWith('.json'))
  .toSorted();

const read = (name: string) => readFile(join(folder, name), 'utf8');
const happy = await read(join('provision-cluster', 'happy.json'));
const BROKEN: [what: string, from: string, to: string][] = [
  ['an activity has another name', '"orderServer"', '"rentServer"'],
  ['an activity has another id', '"dns_setup.await"', '"dns_setup.wait"'],
  ['a step comes in another order', '"domain_purchase.look"', '"server_create.order"'],
];

/** The error with which each replay ended, by the name of the history or of what is broken in it. */
const errors = new Map<string, Error | undefined>();

// One worker for all: loading the bundle costs more than a replay.
beforeAll(async () => {
  quietRuntime();
  const histories = await Promise.all(
    names.map(async (name) => ({ workflowId: name, history: JSON.parse(await read(name)) })),
  );
  const broken = BROKEN.map(([what, from, to]) => ({
    workflowId: what,
    history: JSON.parse(happy.replaceAll(from, to)),
  }));
  const code = await workflowCode();
  const replays = Worker.runReplayHistories({ workflowBundle: { code } }, [
    ...histories,
    ...broken,
  ]);
  for await (const { workflowId, error } of replays) errors.set(workflowId, error);
});

describe('recorded histories', () => {
  it('exist for every workflow', () => {
    const recorded = new Set(names.map((name) => dirname(name)));
    const flows = Object.keys(workflows).map((name) =>
      name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    expect(recorded).toEqual(new Set(flows));
  });

  it('hold nothing of the machine that recorded them, and no secret', async () => {
    for (const history of await Promise.all(names.map(read))) {
      expect(history).not.toMatch(/stackTrace|\d+@|\/work\/|\/home\/|PRIVATE KEY|password|token"/i);
    }
  });

  it.each(names)('%s replays', (name) => {
    expect(errors.has(name)).toBe(true);
    expect(errors.get(name)).toBeUndefined();
  });

  it.each(BROKEN)('a history in which %s does not replay', (what, from) => {
    expect(happy).toContain(from);
    expect(errors.get(what)).toBeInstanceOf(DeterminismViolationError);
  });

  it.each(names)('%s lies with its flow', async (name) => {
    const { events } = JSON.parse(await read(name)) as {
      events: { workflowExecutionStartedEventAttributes: { workflowType: { name: string } } }[];
    };
    const { workflowType } = events[0]!.workflowExecutionStartedEventAttributes;
    const flow = workflowType.name.replaceAll(/[A-Z]/g, (l) => `-${l.toLowerCase()}`);
    expect(basename(dirname(name))).toBe(flow);
  });
});
