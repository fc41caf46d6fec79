/** The model of likeness: what it has learnt from, what it knows of texts that it has not seen, what it bears. */
import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../src/domain/inbox/mail-classification/likeness/features.ts';
import { likenessOf } from '../../src/domain/inbox/mail-classification/likeness/index.ts';
import {
  LIKENESS_CLASSES,
  likenessBy,
  type LikenessClass,
} from '../../src/domain/inbox/mail-classification/likeness/model.ts';
import { LEARNT_FROM } from '../../src/domain/inbox/mail-classification/likeness/weights.ts';
import { labelledTexts, type LabelledText } from '../support/inbox/mail-model/labelled-texts.ts';
import { digestOf, likenessClassOf, trainModel } from '../support/inbox/mail-model/train.ts';

const likeliest = (of: Record<LikenessClass, number>): LikenessClass =>
  LIKENESS_CLASSES.reduce((best, name) => (of[name] > of[best] ? name : best));

describe('the weights', () => {
  it('are those of the corpus: run test/support/inbox/mail-model/train.ts where this fails', async () => {
    expect(digestOf(await labelledTexts())).toBe(LEARNT_FROM);
  });

  it('know wishes, answers and machines in words that no list has', () => {
    expect(likeliest(likenessOf('Do one. Email me again and I mark the lot as spam.'))).toBe(
      'unsubscribe',
    );
    expect(likeliest(likenessOf('Sounds good, what would it cost for twelve people?'))).toBe(
      'reply',
    );
    expect(
      likeliest(likenessOf("I'm away until Monday. If it's urgent, please ring the front desk.")),
    ).toBe('autoReply');
  });
});

describe('texts that were not learnt', () => {
  it('are told apart far better than by chance', async () => {
    const texts = await labelledTexts();
    const isSet = ({ source }: LabelledText) => source === 'messages-5.json';
    const held = texts.filter((each) => isSet(each) && each.class !== 'other');
    const model = trainModel(texts.filter((each) => !isSet(each)));
    const right = held.filter(
      ({ class: is, text }) =>
        likeliest({ ...likenessBy(model, featuresOf(text)), other: 0 }) === likenessClassOf[is],
    );
    expect(held.length).toBeGreaterThan(150);
    expect(right.length / held.length).toBeGreaterThan(0.9);
  }, 400_000);
});

describe('any text', () => {
  it.each([
    ['nothing', ''],
    ['no letters', '... 123 !!! 👍'],
    ['half a pair of surrogates', '\ud83d broken \udc4d'],
    ['no spaces', 'a'.repeat(100_000)],
    ['many marks', 'e\u0301'.repeat(50_000)],
  ])('has probabilities: %s', (_name, text) => {
    const likeness = likenessOf(text);
    const sum = Object.values(likeness).reduce((all, each) => all + each, 0);
    expect(sum).toBeCloseTo(1, 6);
  });

  it('is read to the same features whatever accents and numbers it has', () => {
    expect(featuresOf('Désabonnez-moi, tél. 0612')).toEqual(featuresOf('desabonnez-moi, tel. 99'));
  });
});
