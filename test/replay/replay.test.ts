/** Workflows that are under way must go on with the code of today. Workflows: W14. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { quietRuntime, workflowCode } from '../support/workflow-code.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));
const names = (await readdir(folder, { recursive: true }))
  .filter((name) => name.endsWith('.json'))
  .toSorted();

let code: string;

beforeAll(async () => {
  quietRuntime();
  code = await workflowCode();
});

const read = (name: string) => readFile(join(folder, name), 'utf8');
const replay = (history: string) =>
  Worker.runReplayHistory({ workflowBundle: { code } }, JSON.parse(history));

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

  it.each(names)('%s replays', async (name) => {
    await expect(replay(await read(name))).resolves.toBeUndefined();
  });

  it.each([
    ['an activity has another name', '"orderServer"', '"rentServer"'],
    ['an activity has another id', '"dns_setup.await"', '"dns_setup.wait"'],
    ['a step comes in another order', '"domain_purchase.look"', '"server_create.order"'],
  ])('a history in which %s does not replay', async (_title, from, to) => {
    const happy = await read(join('provision-cluster', 'happy.json'));
    const broken = happy.replaceAll(from, to);
    expect(broken).not.toBe(happy);
    await expect(replay(broken)).rejects.toThrow(DeterminismViolationError);
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
