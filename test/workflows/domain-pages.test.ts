/** Flows over all domains continue as new between pages, and do each domain once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

const PAGE = 100;
const PAGES = 5;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const page = (from: number, isLast: boolean) => ({
  due: Array.from({ length: PAGE }, (_, n) => ({ domainId: from + n + 1, registrar: 'first' })),
  nextId: isLast ? null : from + PAGE,
});

it.each([
  ['rotateDkimKeys', 'rotate'],
  ['publishMtaSts', 'policy'],
  ['completeRecords', 'records'],
])('%s continues as new before its history is long', async (type, prefix) => {
  const pages = Array.from({ length: PAGES }, (_, n) => n * PAGE);
  const lists = pages.map(
    (from, n) => [`due.after_${from}`, () => page(from, n === PAGES - 1)] as const,
  );
  const run = await stage.start(type, Object.fromEntries(lists));
  const { runId: first } = await run.handle.describe();
  expect(await run.handle.result()).toEqual({ advanced: PAGE * PAGES });
  const done = run.calls.filter((id) => id.startsWith(`${prefix}.`));
  expect([done.length, new Set(done).size]).toEqual([PAGE * PAGES, PAGE * PAGES]);
  const { runId, historyLength } = await run.handle.describe();
  expect(runId).not.toBe(first);
  expect(historyLength).toBeLessThan(2_000);
});
