/** Runs work on the same subject one after another. */

/** `subject` identifies the thing; an error of one work does not affect the next. */
export type RunSerially = (subject: object, work: () => Promise<void>) => Promise<void>;

export function createSerialRunner(): RunSerially {
  const last = new WeakMap<object, Promise<void>>();
  return (subject, work) => {
    const result = (last.get(subject) ?? Promise.resolve()).then(work);
    last.set(
      subject,
      result.catch(() => undefined),
    );
    return result;
  };
}
