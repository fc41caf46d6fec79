/** VERP: the address a report came to names the message that it is about. */

/** `sales+b12-0a1b2c3d@acme.com`: the envelope sender of send 12. Mail: rules of sending. */
const VERP = /^[^@\s<]*\+b(\d{1,15})-([0-9a-v]{8})@/i;

/** Where hosts note the address of the envelope, before the one that people wrote. */
const HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];

export interface Verp {
  sendId: number;
  /** Whether we made the address is for the caller to ask of its keys. */
  tag: string;
}

/** Undefined where no address is such. It is only believed for sends of the mailbox it came to. */
export function readVerp(headers: ReadonlyMap<string, string>): Verp | undefined {
  for (const name of HEADERS) {
    for (const word of (headers.get(name) ?? '').split(/[\s,<>;]+/)) {
      const [, id, tag] = VERP.exec(word) ?? [];
      if (id !== undefined) return { sendId: Number(id), tag: tag!.toLowerCase() };
    }
  }
  return undefined;
}
