/**
 * Scores the evidence for a machine and for a person. Text weighs more than headers: helpdesks set automatic
 * headers on people's messages, too.
 */
import { isByMachine } from './automatic-messages.ts';
import { saysAutoReply } from './auto-replies.ts';
import type { MessageView } from './message.ts';
import type { Signs } from './signs.ts';

export interface Evidence {
  ofMachine: number;
  ofPerson: number;
}

/** This score decides, against less on the other side. */
export const SURE = 3;
/** The lowest score that counts as evidence. */
export const SOME = 2;

export interface Around {
  hasAutoSubject: boolean;
  isReceipt: boolean;
  /** It quotes our message, as people's answers do. */
  hasQuote: boolean;
}

export function weigh(signs: Signs, { headers }: MessageView, around: Around): Evidence {
  const { isAway, hasLeft, isReceived, isGenerated } = signs;
  const said = [isAway, hasLeft, isReceived].filter(Boolean).length;
  const hasWords = said > 0 || isGenerated || signs.hints > 0 || around.hasAutoSubject;
  // A helpdesk's confirmation is by a person if it also speaks about the subject matter.
  const isDoubted = signs.isPersonal && !isAway && !hasLeft && !around.hasAutoSubject;
  const saysAuto = saysAutoReply(headers) || isByMachine(headers);
  const trustsHeaders = hasWords && !isDoubted;
  // Nothing but one phrase, which people use of themselves, too: "I am away from Monday, send it before".
  const isBare =
    said === 1 && !isGenerated && signs.hints === 0 && !around.hasAutoSubject && !saysAuto;
  const ofPerson = sum([
    signs.isPersonal ? (isBare ? 3 : 2) : 0,
    signs.keeps ? 1 : 0,
    signs.asks ? (signs.isConversation ? 3 : 2) : 0,
    signs.greets ? 2 : 0,
    signs.isFromPhone ? 2 : 0,
    around.hasQuote ? 1 : 0,
  ]);
  const ofMachine = sum([
    said > 0 ? 2 + said - (isDoubted && !isGenerated && signs.hints < 2 ? 2 : 0) : 0,
    isGenerated ? 3 : 0,
    signs.hints,
    around.hasAutoSubject ? 5 : 0,
    around.isReceipt ? (ofPerson > 1 ? 2 : 3) : 0,
    trustsHeaders && saysAutoReply(headers) ? 2 : 0,
    trustsHeaders && isByMachine(headers) ? 1 : 0,
  ]);
  return { ofMachine, ofPerson };
}

const sum = (weights: readonly number[]): number => weights.reduce((all, each) => all + each, 0);
