/** What messages are, on a labelled corpus of our own. Choice 34; Mail: rules of sending. */
import { describe, expect, it } from 'vitest';
import { answersCorpus } from '../corpus/mail/index.ts';
import { heldOut } from '../corpus/mail/held-out.ts';
import { scoreMessages } from '../corpus/mail/score.ts';

/** Of each kind, both ways. */
const GOAL = 0.98;

describe('classifyMessage', () => {
  it('tells bounces, automatic answers, complaints, unsubscriptions and answers apart', async () => {
    const { scores, mistakes } = await scoreMessages(answersCorpus);
    console.info(
      scores
        .map(
          ({ kind, messages, precision, recall }) =>
            `${kind}: ${messages} messages, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
        )
        .join('\n'),
    );
    expect(answersCorpus.length).toBeGreaterThanOrEqual(120);
    expect(mistakes).toEqual([]);
    for (const { precision, recall } of scores) {
      expect(precision).toBeGreaterThanOrEqual(GOAL);
      expect(recall).toBeGreaterThanOrEqual(GOAL);
    }
  });

  it('tells messages in other words apart, from twelve mail systems and in ten languages', async () => {
    const { mistakes } = await scoreMessages(heldOut);
    expect(heldOut.length).toBe(60);
    expect(mistakes).toEqual([]);
  });
});
