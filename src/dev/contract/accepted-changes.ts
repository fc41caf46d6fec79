/** Breaking changes that were decided on. */
import { version } from '../../domain/version.ts';

export interface AcceptedChange {
  /** The version that brings it. With the next one the entry is deleted. */
  version: string;
  /** The sentence of `npm run openapi -- --check`. */
  change: string;
  /** Why it may be: a wider pattern, say, which breaks nobody, but is another text. */
  why: string;
}

export const ACCEPTED: readonly AcceptedChange[] = [];

/** What of these changes nobody has accepted for this version, and what was accepted for another one. */
export function unaccepted(
  changes: readonly string[],
  accepted: readonly AcceptedChange[] = ACCEPTED,
  now = version,
): string[] {
  const current = accepted.filter((each) => each.version === now);
  const past = accepted.filter((each) => each.version !== now);
  return [
    ...changes
      .filter((change) => !current.some((each) => each.change === change))
      .map((change) => `breaks clients: ${change}`),
    ...past.map(({ version: of, change }) => `accepted for ${of}, which is not ${now}: ${change}`),
  ];
}
