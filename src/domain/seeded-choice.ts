/** Choices that look random but are deterministic: a retried message is the same message. */

/** What a choice depends on: a retry has the same three. */
export interface MessageSeed {
  campaignId: number;
  leadId: number;
  position: number;
}

/** `purpose` keeps choices of one message apart from each other. */
export const seedOf = ({ campaignId, leadId, position }: MessageSeed, purpose: string): string =>
  `${campaignId}/${leadId}/${position}/${purpose}`;

/** One of `0 .. count - 1`, evenly spread over seeds. */
export const choose = (seed: string, count: number): number =>
  count <= 1 ? 0 : Math.floor((hash(seed) / 2 ** 32) * count);

/** 32 bits of FNV-1a, mixed as in MurmurHash3 so that seeds that differ by one digit are far apart. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
