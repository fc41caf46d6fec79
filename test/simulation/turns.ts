/** Runs work on the same subject one after another. */

/** `subject` identifies the thing; an error of one work does not affect the next. */
export type InTurn = (subject: object, work: () => Promise<void>) => Promise<void>;

export function createTurns(): InTurn {
  const last = new WeakMap<object, Promise<void>>();
  return (subject, work) => {
    const turn = (last.get(subject) ?? Promise.resolve()).then(work);
    last.set(
      subject,
      turn.catch(() => undefined),
    );
    return turn;
  };
}
