/** What people and machines write in one language, as parts of patterns: folding.ts. */
export interface Phrases {
  /** False where words are not parted by spaces, or others grow together with them. */
  isSpaced: boolean;
  /** How subjects of automatic answers begin. */
  subjects: readonly string[];
  /** Automatic: somebody is away, in the present tense: who was away and answers is a person. */
  away: readonly string[];
  /** Automatic: somebody does not work there any more. */
  left: readonly string[];
  /** Automatic: a message of somebody has come in and has got a number, or will be answered. */
  received: readonly string[];
  /** A machine wrote it, whatever about: answers of machines say so, and notices. */
  automatic: readonly string[];
  /** Whole messages, but for politeness, of people who want no more of ours. */
  stop: readonly string[];
  /** Sentences that ask for it; each names who, which list, or which data. */
  optOut: readonly string[];
  /** What only a person says who goes on talking, also while away: about the offer, a price, a time, another way. */
  personal: readonly string[];
  /** What people say who answer anything: it tells them from machines only where no machine's words are. */
  talk: readonly string[];
  /** What nobody says who wants no more: another way to talk, another time, interest. Without its `not`. */
  keeps: readonly string[];
  /** Politeness around a whole message. */
  polite: readonly string[];
  /** What makes a sentence one for emergencies: "call me" in it says nothing. */
  urgent: readonly string[];
}
