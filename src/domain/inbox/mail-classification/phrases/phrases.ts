/** What people and machines write in one language, as parts of patterns: folding.ts. */
export interface Phrases {
  /** False where spaces do not separate words, or other words are attached to them. */
  isSpaced: boolean;
  /** How subjects of automatic answers begin. */
  subjects: readonly string[];
  /** Automatic: a person is away, in the present tense; a person who was away and answers is no machine. */
  away: readonly string[];
  /** Automatic: a person does not work there any more. */
  left: readonly string[];
  /** Automatic: a message was received and has got a number, or will be answered. */
  received: readonly string[];
  /** A machine wrote it, on any topic: used by automatic answers and by notices. */
  automatic: readonly string[];
  /** Whole messages, apart from politeness, of people who opt out. */
  stop: readonly string[];
  /** Sentences that opt out; each names the contact, the list, or the data. */
  optOut: readonly string[];
  /** Only people write this, even when away: about the offer, a price, a time, another channel. */
  personal: readonly string[];
  /** People write this in any answer: it is evidence only where no machine's phrase occurs. */
  talk: readonly string[];
  /** Excludes an opt-out: another channel, another time, interest. Without its `not`. */
  keeps: readonly string[];
  /** Politeness around a whole message. */
  polite: readonly string[];
  /** Marks a sentence about emergencies, in which "call me" proves nothing. */
  urgent: readonly string[];
}
