/** Character sets by the names of the Encoding Standard (WHATWG), and texts in them. */

/** `latin1` -> `windows-1252`; undefined for an unknown name. */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** As a stream and not in one piece, in which Node 20 reads windows-1252 as ISO 8859-1, without `€` and `’`. */
export const decodedBy = (decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string =>
  decoder.decode(bytes, { stream: true }) + decoder.decode();
