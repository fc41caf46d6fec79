/** The flags of V8 that a worker sets itself: an engine that does not know one any more only says so. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { HEAP_FLAGS } from '../../src/telemetry/worker-heap.ts';

it('are known to this Node.js', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--v8-options']);
  const names = HEAP_FLAGS.map((flag) => flag.replace('--no-', '--').replace(/=.*/, ''));
  expect(names.filter((name) => !stdout.includes(`  ${name} (`))).toEqual([]);
});

it('are set before anything else of the worker is read', async () => {
  const text = await readFile(new URL('../../src/worker.ts', import.meta.url), 'utf8');
  const [first] = text.match(/^import .*$/m) ?? [];
  expect(first).toBe(`import './telemetry/worker-heap.ts';`);
});
