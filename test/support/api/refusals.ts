/** What an answer says of an id, without the id: the same of one that is somebody else's as of one that is not there. */
export function wordsOf(body: object, id: number | string): string {
  const text = JSON.stringify(body, (key, each: unknown) =>
    key === 'requestId' ? undefined : each,
  );
  return text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID');
}
