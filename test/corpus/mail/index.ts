/** All labelled letters. */
import { people } from './answers.ts';
import { autoReplies } from './auto-replies.ts';
import { bounces } from './bounces.ts';

export const answersCorpus = [...bounces, ...autoReplies, ...people];
