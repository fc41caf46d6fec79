/** The contract of links in messages; `src/encryption/recipient-links.ts` implements it. Choice 55. */

/** Replaces the token in previews and tests: it opens a page and unsubscribes nobody. */
export const PREVIEW_TOKEN = 'preview';

/** `resubscribe`: takes an unsubscription back; only the page that says it is done has such a link. */
export type RecipientLinkKind = 'unsubscribe' | 'open' | 'click' | 'resubscribe';

/** The content of a link's token. */
export interface RecipientLink {
  kind: RecipientLinkKind;
  sendId: number;
  /** The target of a click; absent otherwise. */
  target?: string;
  /** The entry that `resubscribe` lifts; absent otherwise. */
  suppressionId?: number;
  /** The language of the pages. */
  language?: string;
}

/**
 * Makes and reads the links. The same input gives the same link at every attempt; only we can read or make a
 * token.
 */
export interface RecipientLinks {
  /** The same links on another origin, `https://links.acme.com`; undefined: on the installation's own. */
  at(origin: string | undefined): RecipientLinks;
  /** For `List-Unsubscribe` (RFC 8058) and the message's text. */
  unsubscribeUrl(sendId: number, language?: string): string;
  /** The token of that URL, for an unsubscribe request by mail. */
  unsubscribeToken(sendId: number, language?: string): string;
  /** For the form of a page, on whatever name it is shown; of that entry alone. */
  resubscribeToken(sendId: number, suppressionId: number, language?: string): string;
  /** The tracking pixel; only for campaigns that track opens. */
  openUrl(sendId: number): string;
  /** Throws for a target that is no http(s) address, or is too long for a link. */
  clickUrl(sendId: number, targetUrl: string): string;
  /** Proves that we made an envelope address (VERP); 8 characters of 0-9 and a-v. */
  messageTag(sendId: number): string;
  isMessageTag(sendId: number, tag: string): boolean;
  /** Undefined for any token that we did not make, or that was made for another origin. */
  read(token: string): RecipientLink | undefined;
  /**
   * The token, made for `https://<host>`, as it is on the installation's own name. Undefined where it was not: who is
   * sent a link cannot have it on a name of somebody else. One that takes an unsubscription back leads nowhere, and is
   * good on any.
   */
  ownToken(token: string, host: string): string | undefined;
}
