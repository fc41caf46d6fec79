/** Subjects that opt out. */
import { bare, folded, visible } from './folding.ts';
import { isOptOut } from './opt-outs.ts';

/** The subject of our List-Unsubscribe `mailto:`. RFC 2369. */
const SUBJECT =
  /^(?:unsubscribe|abmelden|abmeldung|désabonner|désinscription|désabonnement|baja|cancella(?:mi|zione)|uitschrijven|afmelden|wypisz|remove(?: me)?|opt[ -]?out|stop|отписаться|отписка|відписатися|退订|退訂|配信停止|leiratkozás|dezabonare|απεγγραφή|הסרה|إلغاء الاشتراك|abonelikten çık)[\s.!]*(?:[\w.-]{12,})?$/iu;

/** A longer message says more; its text decides. */
const MAX_CHARS = 400;

/** The subject of our `mailto:`, with the token of a link. Programs send it automatically, too. */
const TOKEN_SUBJECT = /^\s*unsubscribe\s+([\w-]{28,64})\s*$/i;

/** The token that identifies the message; the caller must verify it. */
export const readUnsubscribeToken = (subject: string): string | undefined =>
  TOKEN_SUBJECT.exec(subject)?.[1];

/** What is written before our subject: `UNSUBSCRIBE - Re: A question`, `Away skiing Re: A question`. */
export const ownSubject = (subject: string): string =>
  /^(\P{Ps}{3,60}?)[\s:|-]*\s(?:re|aw|sv|vs|odp|rif|res|ynt|отв|відп|回复|回覆|返信)\s*[:：]/iu.exec(
    subject,
  )?.[1] ?? subject;

/** `words`: the message without its quotes. */
export const asksBySubject = (subject: string, words: string): boolean =>
  SUBJECT.test(asked(subject)) && words.trim().length <= MAX_CHARS;

/** `Re: *Unsubscribe* 🙏` */
const asked = (subject: string): string =>
  bare(bare(visible(subject.normalize('NFC'))).replace(/^re:/i, ''));

/** For messages whose text is only the writer's name. */
export const asksIn = (subject: string, words: string): boolean =>
  words.trim().length <= MAX_NAME && isWish(visible(subject));

const isWish = (subject: string): boolean => isOptOut(subject, folded(subject).trim());

const MAX_NAME = 80;
