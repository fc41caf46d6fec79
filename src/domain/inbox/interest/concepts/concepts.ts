/** What words of answers mean, in any language: the same concepts, so that one model learns from all of them. */

export const CONCEPTS = [
  'not',
  'interest',
  'like',
  'want',
  'yes',
  'send',
  'material',
  'offer',
  'price',
  'need',
  'have',
  'already',
  'supplier',
  'content',
  'own',
  'fit',
  'switch',
  'refuse',
  'start',
  'later',
  'period',
  'now',
  'again',
  'contact',
  'budget',
  'busy',
  'contract',
  'wait',
  'keep',
  'talk',
  'weekday',
  'clock',
  'calendar',
  'colleague',
  'department',
  'charge',
  'wrong',
  'passedOn',
  'left',
  'somebody',
  'ask',
  'youDo',
  'thanks',
  'but',
  'we',
  'me',
] as const;
export type Concept = (typeof CONCEPTS)[number];

/**
 * Beginnings of words and phrases, separated by `|`; a dot at the end makes it a whole word, `~` stands for some
 * words of the same sentence. `words`: the most usual ones, by which the language is told.
 */
export type Vocabulary = Record<Concept, string> & { words: string };
