/** What HTML's elements mean, for reading a page: by name, each looked up once per tag. */

export interface Element {
  /** In lower case; one string for all tags of the name. */
  name: string;
  /** Has no content and no end tag. */
  isVoid: boolean;
  /** Its content is text up to its own end tag; `escapable` with character references in it. */
  raw: 'raw' | 'escapable' | 'plaintext' | null;
  /** Elements right above it that end where it begins. HTML standard, 13.1.2.4. */
  ends: ReadonlySet<Element> | null;
  /** What its content is made of; null: of the same as what is around it. */
  context: 'html' | 'svg' | 'math' | null;
  /** Does not end a line of text. */
  isInline: boolean;
  isHeading: boolean;
  /** Its text is not read by visitors as the page's own words. */
  isUnread: boolean;
}

const words = (text: string): string[] => text.split(' ');

const VOID = new Set(
  words(
    'area base basefont br col command embed frame hr img input isindex keygen link meta param ' +
      'source track wbr',
  ),
);
const RAW = new Set(words('script style iframe noembed noframes xmp'));
const ESCAPABLE = new Set(['title', 'textarea']);
const INLINE = new Set(
  words(
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark nobr q s samp ' +
      'small span strike strong sub sup svg path use time tt u var wbr',
  ),
);
/** `head` is none of them: pages without a `body` tag put all of their text there. */
const UNREAD = new Set(
  words('script style template textarea select option title noembed math datalist object'),
);
/** `<foreignObject>` within a drawing, where HTML begins again; a name that no tag can have. */
export const FOREIGN_OBJECT = 'svg foreignobject';
/** Where HTML begins within drawings and formulas. */
const INTEGRATION = new Set(words('mi mo mn ms mtext annotation-xml desc title'));
INTEGRATION.add(FOREIGN_OBJECT);

const known = new Map<string, Element>();
/** More names than there are come from pages that make them up; those are described each time. */
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
  const isRaw = RAW.has(name) ? 'raw' : name === 'plaintext' ? name : null;
  const isForeign = name === 'svg' || name === 'math';
  return {
    name,
    isVoid: VOID.has(name),
    raw: ESCAPABLE.has(name) ? 'escapable' : isRaw,
    ends: null,
    context: isForeign ? name : INTEGRATION.has(name) ? 'html' : null,
    isInline: INLINE.has(name),
    isHeading: /^(?:h[1-6]|legend|caption)$/.test(name),
    isUnread: UNREAD.has(name),
  };
}

/** Elements that begin, and which right above them end there. */
const IMPLIED_ENDS: readonly (readonly [string, string])[] = [
  ['tr', 'tr th td'],
  ['th', 'th'],
  ['td', 'thead th td'],
  ['body', 'head link script'],
  ['a', 'a'],
  ['li', 'li'],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
  [
    'select input output button datalist textarea',
    'input option optgroup select button datalist textarea',
  ],
  ['dd dt', 'dd dt'],
  ['rt rp', 'rt rp'],
  ['tbody tfoot', 'thead tbody'],
  [
    'p address article aside blockquote details div dl fieldset figcaption figure footer form ' +
      'header hr main nav ol pre section table ul',
    'p',
  ],
];
for (const [begins, ends] of IMPLIED_ENDS) {
  const elements = new Set(words(ends).map(elementOf));
  for (const name of words(begins)) elementOf(name).ends = elements;
}
