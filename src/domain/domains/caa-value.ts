/** The value of a CAA record, as registrars write it: `0 issue "letsencrypt.org"` (RFC 8659, 4.1.1). */

export interface CaaProperty {
  /** 128: an authority that does not know the tag must not give a certificate. */
  flags: number;
  tag: string;
  value: string;
}

export const caaText = ({ flags, tag, value }: CaaProperty): string =>
  `${flags} ${tag.toLowerCase()} "${value}"`;

/** Undefined for what is no such value. */
export function parseCaa(text: string): CaaProperty | undefined {
  const found = /^(\d{1,3})\s+([a-z0-9]+)\s+(?:"([^"]*)"|(\S+))$/i.exec(text.trim());
  if (!found) return undefined;
  const [, flags = '', tag = '', quoted, bare = ''] = found;
  if (Number(flags) > 255) return undefined;
  return { flags: Number(flags), tag, value: quoted ?? bare };
}

/** One spelling of the value, quoted; what cannot be read stays as it is. */
export function normalCaa(text: string): string {
  const property = parseCaa(text);
  return property ? caaText(property) : text;
}
