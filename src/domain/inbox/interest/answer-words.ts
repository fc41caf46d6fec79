/** The words of an answer: the same ones however they are quoted, signed and spelt. */
import { folded } from '../mail-classification/folding.ts';
import { answerIn } from './answer-text.ts';

export const answerWords = (text: string): string =>
  (folded(answerIn(text)).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
