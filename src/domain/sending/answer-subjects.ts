/** Subjects of answers. RFC 5322, 3.6.5. */
import { oneLine } from '../campaigns/templates.ts';

/** As mail programs of many languages begin the subject of an answer. */
const WORDS =
  're|aw|antw|sv|vs|odp|rif|ynt|res?|r|vá|bls|tl|ats|atb|отв|відп|на|απ|回复|回覆|答复|答覆|返信|회신|답장|' +
  'תגובה|השב|رد|ตอบ|ตอบกลับ';
/** `Re[2]:` and `Re (2):` count the answers. */
const ANSWER = new RegExp(`^\\s*(?:${WORDS})\\s*(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\))?\\s*[:：]`, 'iu');

/** `Re:` once, also where it is there in another language. */
export const answerTo = (subject: string): string =>
  ANSWER.test(subject) ? oneLine(subject) : oneLine(`Re: ${subject}`);

/** Whether a message of this subject goes on in the thread; older ones have a `Re:` before that of a language. */
export const continues = (thread: string, subject: string): boolean =>
  subject === answerTo(thread) || subject === oneLine(`Re: ${thread}`);
