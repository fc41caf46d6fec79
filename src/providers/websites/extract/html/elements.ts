/** What HTML's elements mean, for reading a page: by name, each looked up once per tag. */

export interface Element {
  /** In lower case; one string for all tags of the name. */
  name: string;
  /** Does not end a line of text. */
  isInline: boolean;
  isHeading: boolean;
  /** Its text is not part of what visitors read. */
  isUnread: boolean;
}

const words = (text: string): string[] => text.split(' ');

const INLINE = new Set(
  words(
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark nobr q s samp ' +
      'small span strike strong sub sup svg path use time tt u var wbr',
  ),
);
/** `head` is not in it: pages without a `body` tag have all of their text there. */
const UNREAD = new Set(
  words('script style template textarea select option title noembed math datalist object'),
);
const known = new Map<string, Element>();
/** Pages with more names than exist invent them; those are described anew each time. */
const MAX_KNOWN = 1_000;

/** The element of a tag's name, as it is written. Two of one name need not be one object. */
export function elementOf(written: string): Element {
  return known.get(written) ?? remember(written);
}

function remember(written: string): Element {
  const name = written.toLowerCase();
  const element = known.get(name) ?? describe(name);
  if (known.size < MAX_KNOWN && written.length < 40) {
    known.set(name, element);
    known.set(written, element);
  }
  return element;
}

function describe(name: string): Element {
  return {
    name,
    isInline: INLINE.has(name),
    isHeading: /^(?:h[1-6]|legend|caption)$/.test(name),
    isUnread: UNREAD.has(name),
  };
}
