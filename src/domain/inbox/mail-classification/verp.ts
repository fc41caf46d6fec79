/** VERP: the address that received a report identifies the message it is about. */

/**
 * `sales+b12-0a1b2c3d@acme.com`: the envelope sender of send 12.
 * docs/sending-rules.md#kinds-of-incoming-messages.
 */
const VERP = /^[^@\s<]*\+b(\d{1,15})-([0-9a-v]{8})@/i;

/** Headers in which hosts record the envelope's address, before the one that people wrote. */
const HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];

export interface Verp {
  sendId: number;
  /** The caller must verify with its keys that we made the address. */
  tag: string;
}

/** Undefined where no address has this form. Only trusted for sends of the mailbox that received it. */
export function readVerp(headers: ReadonlyMap<string, string>): Verp | undefined {
  for (const name of HEADERS) {
    for (const word of (headers.get(name) ?? '').split(/[\s,<>;]+/)) {
      const [, id, tag] = VERP.exec(word) ?? [];
      if (id !== undefined) return { sendId: Number(id), tag: tag!.toLowerCase() };
    }
  }
  return undefined;
}
