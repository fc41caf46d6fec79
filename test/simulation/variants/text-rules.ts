/**
 * Which text of a step is sent, by docs/campaign-messages.md#which-text-is-best: implemented independently of the
 * product.
 */
import type { History } from '../history.ts';
import type { Observed } from '../rules.ts';
import { markIn } from '../world.ts';
import type { TextMessage, WinnerRule } from './evidence.ts';

/** The texts of one step against each other. */
export interface TextTest {
  /** The marks of the texts beside the step's own. */
  variants: readonly string[];
  choice: History<Choice>;
  /** Since when these texts stand beside each other. */
  since: History<number>;
}

/** Nobody has chosen, or who has; `mark` null: all texts are used. */
export type Choice =
  | { by: 'nobody'; mark: null }
  | { by: 'test'; mark: string }
  | { by: 'client'; mark: string | null };

export const OPEN: Choice = { by: 'nobody', mark: null };

/** What a campaign has that compares texts. */
export interface Comparing {
  rule: History<WinnerRule | null>;
  /** By position. */
  tests: readonly (TextTest | undefined)[];
}

export interface TextBook {
  /** At the moment of a change both: the mark of the text that everybody gets; null: any of its texts. */
  winnersAt(campaignId: number, step: number, at: number): (string | null)[];
  /** Whether its texts are compared. */
  isCompared(campaignId: number, step: number): boolean;
}

export interface TextRules {
  check(message: Observed, broken: (rule: string) => void): void;
  /** Of a step whose texts are compared. */
  messagesOf(campaignId: number, step: number): readonly TextMessage[];
  /** The text that was sent under the number; undefined: none was. */
  markOf(campaignId: number, step: number, variant: number): string | undefined;
  numberOf(campaignId: number, step: number, mark: string): number | undefined;
}

/** Remembers which text was sent under which number. */
export function createTextRules(book: TextBook): TextRules {
  const marks = new Map<string, string>();
  const numbers = new Map<string, number>();
  const messages = new Map<string, TextMessage[]>();
  return {
    check({ at, campaignId, step, variant, messageId, body }, broken) {
      if (!book.isCompared(campaignId, step)) return;
      const mark = markIn(body);
      const winners = book.winnersAt(campaignId, step, at);
      if (!winners.includes(null) && !winners.includes(mark)) {
        broken(`its text is ${mark}, and ${winners.join(' or ')} has won`);
      }
      const key = `${campaignId}/${step}`;
      const before = marks.get(`${key}/${variant}`) ?? mark;
      if (before !== mark) broken(`text ${variant} is ${mark}, and was ${before}`);
      const number = numbers.get(`${key}/${mark}`) ?? variant;
      if (number !== variant) broken(`${mark} is text ${variant}, and was text ${number}`);
      marks.set(`${key}/${variant}`, mark);
      numbers.set(`${key}/${mark}`, variant);
      messages.set(key, [...(messages.get(key) ?? []), { at, variant, messageId }]);
    },
    messagesOf: (campaignId, step) => messages.get(`${campaignId}/${step}`) ?? [],
    markOf: (campaignId, step, variant) => marks.get(`${campaignId}/${step}/${variant}`),
    numberOf: (campaignId, step, mark) => numbers.get(`${campaignId}/${step}/${mark}`),
  };
}
