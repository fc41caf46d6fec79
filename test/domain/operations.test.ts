/** What people read about an operation's progress. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { stepMessage, STEPS } from '../../src/domain/operations/operations.ts';
import {
  CLIENT_FAILURES,
  OPERATOR_FAILURES,
  RETRYABLE_FAILURES,
} from '../../src/domain/failures.ts';

const workflows = new URL('../../workflows/', import.meta.url);

describe('stepMessage', () => {
  it('has words of its own for each step of the flows', async () => {
    const files = await readdir(workflows, { recursive: true });
    const sources = await Promise.all(
      files
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFile(new URL(file, workflows), 'utf8')),
    );
    const names = [...sources.join('\n').matchAll(/^ +name: '([a-z_]+)',$/gm)].map((m) => m[1]!);
    expect([...new Set(names)].toSorted()).toEqual(STEPS.toSorted());
    const messages = STEPS.map((step) => stepMessage(step, 'running'));
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z][^_]+$/);
  });

  it('says whether the step waits for a person or is undone', () => {
    const step = 'server_create';
    expect(stepMessage(step, 'running')).toBe('Renting the server');
    expect(stepMessage(step, 'blocked')).toBe('Renting the server: waiting for an operator');
    expect(stepMessage(step, 'compensating')).toBe('Renting the server: undoing');
    const waits = stepMessage(step, 'compensating', true);
    expect(waits).toBe('Renting the server: undoing waits for an operator');
  });
});

describe('types of failures', () => {
  it('belong to one cure each', () => {
    const all = [...CLIENT_FAILURES, ...OPERATOR_FAILURES, ...RETRYABLE_FAILURES];
    expect(new Set(all).size).toBe(all.length);
  });
});
