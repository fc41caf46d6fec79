/**
 * How much a text is like what people and machines have written before: beside the phrases, for wordings that
 * nobody has listed. The weights are made by test/support/inbox/mail-model/train.ts. Choice 34.
 */
import { inflateRawSync } from 'node:zlib';
import { BUCKETS, featuresOf } from './features.ts';
import { LIKENESS_CLASSES, likenessBy, type Likeness, type LinearModel } from './model.ts';
import { BIASES, SCALE, WEIGHTS } from './weights.ts';

export type { Likeness } from './model.ts';

/** `text`: what its writer wrote, without quotes. About a millisecond. */
export const likenessOf = (text: string): Likeness => likenessBy(builtIn(), featuresOf(text));

let loaded: LinearModel | undefined;

function builtIn(): LinearModel {
  if (loaded) return loaded;
  const bytes = inflateRawSync(Buffer.from(WEIGHTS, 'base64'));
  if (bytes.length !== BUCKETS * LIKENESS_CLASSES.length) {
    throw new Error('The weights of the model do not fit its features: train it anew');
  }
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  loaded = { weights, scale: SCALE, biases: BIASES };
  return loaded;
}
