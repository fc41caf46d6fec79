/**
 * What letters are, on a labelled corpus of our own. Choice 34;
 * docs/sending-rules.md#kinds-of-incoming-messages.
 */
import { describe, expect, it } from 'vitest';
import { answersCorpus } from '../corpus/mail/index.ts';
import { heldOut } from '../corpus/mail/held-out.ts';
import { scoreLetters } from '../corpus/mail/score.ts';

/** Of each kind, both ways. */
const GOAL = 0.98;

describe('classifyLetter', () => {
  it('tells bounces, automatic answers, complaints, unsubscriptions and answers apart', async () => {
    const { scores, mistakes } = await scoreLetters(answersCorpus);
    console.info(
      scores
        .map(
          ({ kind, letters, precision, recall }) =>
            `${kind}: ${letters} letters, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
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

  it('tells letters in other words apart, from twelve mail systems and in ten languages', async () => {
    const { mistakes } = await scoreLetters(heldOut);
    expect(heldOut.length).toBe(60);
    expect(mistakes).toEqual([]);
  });
});
