/** The contract of links in messages; `src/recipient-links.ts` fulfils it. Choice 55. */

/** Stands for the token in previews and tests: it opens a page and unsubscribes nobody. */
export const PREVIEW_TOKEN = 'preview';

export type RecipientLinkKind = 'unsubscribe' | 'open' | 'click';

/** What a link's token says. */
export interface RecipientLink {
  kind: RecipientLinkKind;
  sendId: number;
  /** Where a click leads; nothing but clicks has one. */
  target?: string;
  /** Of an unsubscription: what its page says it in. */
  language?: string;
}

/**
 * Makes and reads the links. The same question gives the same link at every attempt, a token tells
 * nobody but us what is in it, and nobody but us can make one.
 */
export interface RecipientLinks {
  /** For `List-Unsubscribe` (RFC 8058) and the message's text. */
  unsubscribeUrl(sendId: number, language?: string): string;
  /** The token of that address, for a message that asks for the same. */
  unsubscribeToken(sendId: number, language?: string): string;
  /** The picture that notes an opening; only for campaigns that ask for it. */
  openUrl(sendId: number): string;
  /** Throws for a target that is no http(s) address, or is too long for a link. */
  clickUrl(sendId: number, targetUrl: string): string;
  /** Proves that an address of a message's envelope (VERP) was made here; 8 of 0-9 and a-v. */
  messageTag(sendId: number): string;
  isMessageTag(sendId: number, tag: string): boolean;
  /** Undefined for whatever was not made here. */
  read(token: string): RecipientLink | undefined;
}
