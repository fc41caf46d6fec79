/** The simulation's referee notices texts that are not the winner, and numbers that stand for two texts. */
import { describe, expect, it } from 'vitest';
import type { Observed } from '../rules.ts';
import { createTextRules, type TextBook } from './text-rules.ts';

const message = (mark: string, variant: number, leadId = 1) =>
  ({
    at: leadId,
    campaignId: 1,
    leadId,
    step: 0,
    variant,
    messageId: `<${leadId}@a.example>`,
    body: `Hi there, a word: ${mark}.`,
  }) as Observed;

function watch(messages: readonly Observed[], book: Partial<TextBook> = {}) {
  const violations: string[] = [];
  const rules = createTextRules({
    winnersAt: () => [null],
    isCompared: () => true,
    ...book,
  });
  for (const one of messages) rules.check(one, (rule) => void violations.push(rule));
  return { rules, violations };
}

describe('texts of a step', () => {
  it('are all used while none has won', () => {
    const { rules, violations } = watch([message('first0m', 0), message('liked0m', 1, 2)]);
    expect(violations).toEqual([]);
    expect(rules.markOf(1, 0, 1)).toBe('liked0m');
    expect(rules.numberOf(1, 0, 'liked0m')).toBe(1);
    expect(rules.messagesOf(1, 0)).toHaveLength(2);
  });

  it('are one from then on, and either at that very moment', () => {
    const loser = [message('first0m', 0)];
    expect(watch(loser, { winnersAt: () => ['liked0m'] }).violations).toEqual([
      'its text is first0m, and liked0m has won',
    ]);
    expect(watch(loser, { winnersAt: () => [null, 'liked0m'] }).violations).toEqual([]);
    const winner = [message('liked0m', 1)];
    expect(watch(winner, { winnersAt: () => ['liked0m'] }).violations).toEqual([]);
  });

  it('keep their numbers', () => {
    const shared = [message('first0m', 0), message('mark1m', 0, 2)];
    expect(watch(shared).violations).toEqual(['text 0 is mark1m, and was first0m']);
    const moved = [message('first0m', 0), message('first0m', 2, 2)];
    expect(watch(moved).violations).toEqual(['first0m is text 2, and was text 0']);
  });

  it('are nothing to say of where none are compared', () => {
    const messages = [message('first0m', 0), message('mark1m', 0, 2)];
    expect(watch(messages, { isCompared: () => false }).violations).toEqual([]);
  });
});
