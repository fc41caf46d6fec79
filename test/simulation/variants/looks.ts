/**
 * When texts are compared, by docs/campaign-messages.md#which-text-is-best: what is noted of the looks, held against
 * messages that were seen outside.
 */
import type { WinnerRule } from './evidence.ts';

/** What is noted of a test. */
export interface Looks {
  looks: number;
  /** Messages of the text that was sent least, at the last look. */
  lookedSends: number;
}

export const NO_LOOKS: Looks = { looks: 0, lookedSends: 0 };

type Setting = Pick<WinnerRule, 'minSends'>;

const neededFor = ({ minSends }: Setting, { lookedSends }: Looks): number =>
  Math.max(minSends, 2 * lookedSends);

/** `least`: so many messages of each text count for longer than a campaign takes to look at them. */
export function missedLook(setting: Setting, noted: Looks, least: number): string | undefined {
  return least < neededFor(setting, noted)
    ? undefined
    : `its texts were compared ${noted.looks} times, and each was sent ${least} times`;
}

/**
 * From one reading to the next, between which nobody began the test anew. `counted`: messages of the text that was
 * sent least, at least so many when it was read before, at most so many now.
 */
export function wrongLooks(
  setting: Setting,
  before: Looks,
  noted: Looks,
  counted: { least: number; most: number },
): string[] {
  const { looks, lookedSends } = noted;
  if (looks === before.looks && lookedSends === before.lookedSends) return [];
  const what = `look ${looks} was at ${lookedSends} messages`;
  if (looks <= before.looks) {
    return [`${what}, after look ${before.looks} at ${before.lookedSends}`];
  }
  const wrong: string[] = [];
  // Each look needs twice the messages of the one before.
  const needed = neededFor(setting, before) * 2 ** (looks - before.looks - 1);
  if (lookedSends < needed) wrong.push(`${what}, and needs ${needed}`);
  if (lookedSends > counted.most) wrong.push(`${what}, and ${counted.most} count`);
  if (lookedSends < counted.least) wrong.push(`${what}, and at least ${counted.least} count`);
  return wrong;
}
