/** What people read about an operation's progress. */
import { describe, expect, it } from 'vitest';
import { PROVISION_STEPS, stepMessage } from '../../src/domain/operations.ts';
import {
  CLIENT_FAILURES,
  OPERATOR_FAILURES,
  RETRYABLE_FAILURES,
} from '../../src/domain/failures.ts';

describe('stepMessage', () => {
  it('has words of its own for each step', () => {
    const messages = [...PROVISION_STEPS, 'mailbox_create'].map((s) => stepMessage(s, 'running'));
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z][^_]+$/);
  });

  it('says whether the step waits for a person or is undone', () => {
    const step = 'server_create';
    expect(stepMessage(step, 'running')).toBe('Renting the server');
    expect(stepMessage(step, 'blocked')).toBe('Renting the server: waiting for an operator');
    expect(stepMessage(step, 'compensating')).toBe('Renting the server: undoing');
  });
});

describe('types of failures', () => {
  it('belong to one cure each', () => {
    const all = [...CLIENT_FAILURES, ...OPERATOR_FAILURES, ...RETRYABLE_FAILURES];
    expect(new Set(all).size).toBe(all.length);
  });
});
