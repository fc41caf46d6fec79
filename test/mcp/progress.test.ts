/** Progress notifications: only for who asked, with numbers that grow. */
import { describe, expect, it } from 'vitest';
import { notifier } from '../../src/mcp/progress.ts';

interface Sent {
  progressToken: unknown;
  progress: number;
  total: number;
  message: string;
}

function teller(progressToken?: string) {
  const sent: Sent[] = [];
  const extra = {
    ...(progressToken !== undefined && { _meta: { progressToken } }),
    async sendNotification(notification: { params?: unknown }) {
      sent.push(notification.params as Sent);
    },
  };
  return { sent, report: notifier(extra as never) };
}

describe('progress', () => {
  it('is told to nobody who did not ask', () => {
    const { sent, report } = teller();
    report({ done: 1, total: 2, message: 'one' });
    expect(sent).toEqual([]);
  });

  it('is told once for each new thing, and never goes back', () => {
    const { sent, report } = teller('t');
    report({ done: 0, total: 200, message: 'begun' });
    report({ done: 0, total: 200, message: 'begun' });
    report({ done: 50, total: 200, message: 'half' });
    report({ done: 50, total: 200, message: 'still half' });
    report({ done: 20, total: 200, message: 'undone' });
    report({ done: 200, total: 200, message: 'done' });
    expect(sent.map(({ message }) => message)).toEqual([
      'begun',
      'half',
      'still half',
      'undone',
      'done',
    ]);
    const numbers = sent.map(({ progress }) => progress);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(sent.every(({ progress, total }) => progress <= total)).toBe(true);
    expect(sent[0]).toMatchObject({ progressToken: 't', progress: 0, total: 200 });
  });
});
