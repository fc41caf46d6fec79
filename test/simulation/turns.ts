/** Whoever is at the same thing waits for those who came before. */

/** `subject` tells the things apart; what one of them throws is its own. */
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
