/** HTML as a stream of tags and text, by htmlparser2. HTML standard, 13.2.5, as far as that goes. */
import { Parser } from 'htmlparser2';
import { elementOf, type Element } from './elements.ts';
import { clearTag, completeParts, createTag, keepAttribute, type Tag } from './tag.ts';

/** The parts of a page, in order. */
export interface TokenReader {
  /** Void elements are closed at once. `tag` is valid until the next one. */
  open(element: Element, tag: Tag): void;
  /** Text with its references decoded, in pieces. */
  text(data: string): void;
  close(element: Element): void;
}

/** Reads `html` from end to end. */
export function readTokens(html: string, reader: TokenReader): void {
  const tag = createTag();
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        clearTag(tag);
        tag.from = isImplied ? -1 : parser.startIndex;
        tag.at = parser.endIndex + 1;
        for (const key in attributes) keepAttribute(tag, key, attributes[key]!);
        if (tag.parts !== null) completeParts(tag);
        reader.open(elementOf(name), tag);
      },
      ontext: (data) => reader.text(data),
      onclosetag: (name) => reader.close(elementOf(name)),
    },
    // Most attributes are unread: `keepAttribute` lower-cases the others.
    { lowerCaseAttributeNames: false },
  );
  parser.end(html);
}
