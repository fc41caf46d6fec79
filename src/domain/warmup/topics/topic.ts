/** What a topic of warm-up messages consists of. */

/** Each list is a slot; a message takes one piece of every slot. `{day}`, `{time}`, ... are filled in. */
export interface WarmupTopic {
  subjects: readonly string[];
  openings: readonly string[];
  middles: readonly string[];
  asks: readonly string[];
  answers: readonly string[];
  afters: readonly string[];
}
