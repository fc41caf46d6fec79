/**
 * How much a text is like what people and machines have written before: beside the phrases, for wordings that
 * nobody has listed. The weights are made by test/support/inbox/mail-model/train.ts. Choice 34.
 */
import { featuresOf } from './features.ts';
import { likenessBy, type Likeness, type LinearModel } from './model.ts';
import { unpackWeights } from './packing.ts';
import { BIASES, PACKED } from './weights.ts';

export type { Likeness } from './model.ts';

/** `text`: what its writer wrote, without quotes. About a millisecond. */
export const likenessOf = (text: string): Likeness => likenessBy(builtIn(), featuresOf(text));

let loaded: LinearModel | undefined;
const builtIn = (): LinearModel => (loaded ??= { ...unpackWeights(PACKED), biases: BIASES });
