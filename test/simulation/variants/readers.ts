/** The people of a campaign that compares texts: how many they are, and which texts they answer. */
import type { RawMessage } from '../../../src/providers/mail-transport/port.ts';
import { contentOf } from '../message-content.ts';
import { recipientOf } from '../mail-server.ts';
import { markIn } from '../world.ts';

/** In the mark of a text that most people answer. */
export const LIKED = 'liked';
/** Before the domain of each reader. */
const READER = 'reader-';

export interface Readers {
  least: number;
  most: number;
  /** The share of those who like such a text and answer it, and of those who answer any other text for its own sake. */
  likes: number;
  likesOthers: number;
}

/** A text wins at its first look, or soon after. */
const DECIDED: Readers = { least: 40, most: 400, likes: 0.85, likesOthers: 0 };
/** Several looks are needed, and the text that loses has answers, too. */
const WAVERING: Readers = { least: 110, most: 400, likes: 0.6, likesOthers: 0.15 };
/** How many seeds have such readers, of those with readers. */
const WAVER = 0.4;

export const drawReaders = (random: () => number): Readers =>
  random() < WAVER ? WAVERING : DECIDED;

/** Half as many as the large campaign has recipients. */
export const countReaders = ({ least, most }: Readers, recipients: number): number =>
  Math.min(most, Math.max(least, Math.ceil(recipients / 2)));

export const readerDomain = (domain: string): string => `${READER}${domain}`;

/** Whether who has received the message answers it since they like it. */
export function createTaste({ likes, likesOthers }: Readers, random: () => number) {
  return (message: RawMessage): boolean => {
    if (markIn(contentOf(message).body).startsWith(LIKED)) return random() < likes;
    const isReader = recipientOf(message).includes(`@${READER}`);
    return likesOthers > 0 && isReader && random() < likesOthers;
  };
}
