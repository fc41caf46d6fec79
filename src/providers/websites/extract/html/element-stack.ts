/** Which elements are open: those that HTML closes unsaid, and those of drawings and formulas. */
import { elementOf, FOREIGN_OBJECT, type Element } from './elements.ts';
import type { Tag } from './tag.ts';

/** What a page is made of, in order. */
export interface TokenReader {
  /** Void elements are closed at once. `tag` is good until the next one. */
  open(element: Element, tag: Tag): void;
  /** Text with its references decoded, in pieces. */
  text(data: string): void;
  close(element: Element): void;
}

export interface ElementStack {
  /** Its name was read: what it closes unsaid is closed, and it is open from now on. */
  begin(element: Element): void;
  /** The same tag is over. */
  end(tag: Tag): void;
  close(element: Element): void;
  /** Whether tags here belong to a drawing or a formula, where no content is raw. */
  isForeign(): boolean;
  finish(): void;
}

const PARAGRAPH = elementOf('p');
const FORM = elementOf('form');
const BREAK = elementOf('br');
const IMAGE = elementOf('img');
const HTML_IN_DRAWING = elementOf(FOREIGN_OBJECT);

/** As htmlparser2's `Parser` does it, which the tests hold it against. */
export function createElementStack(reader: TokenReader, noTag: Tag): ElementStack {
  /** The innermost one last. */
  const open: Element[] = [];
  const contexts: ('html' | 'svg' | 'math')[] = ['html'];
  /** The tag that is being read; undefined for one that does not count. */
  let current: Element | undefined;

  const isForeign = (): boolean => contexts.length > 1 && contexts.at(-1) !== 'html';
  const meant = (element: Element): Element => {
    if (element.name === 'image') return isForeign() ? element : IMAGE;
    if (element.name !== 'foreignobject' || contexts.length === 1) return element;
    const isInDrawing = contexts.at(-1) === 'svg' || open.includes(HTML_IN_DRAWING);
    return isInDrawing ? HTML_IN_DRAWING : element;
  };
  const pop = (): void => {
    const element = open.pop()!;
    if (element.context) contexts.pop();
    reader.close(element);
  };
  const begin = (written: Element): void => {
    const element = meant(written);
    current = undefined;
    // A form within a form is none.
    if (element === FORM && open.includes(FORM)) return;
    const { ends } = element;
    if (ends) while (open.length > 0 && ends.has(open[open.length - 1]!)) pop();
    current = element;
    if (element.isVoid) return;
    open.push(element);
    if (element.context) contexts.push(element.context);
  };
  const end = (tag: Tag): void => {
    const element = current;
    if (element === undefined) return;
    current = undefined;
    const isClosed = tag.isSelfClosing && isForeign();
    reader.open(element, tag);
    if (element.isVoid) reader.close(element);
    if (isClosed && open.at(-1) === element) pop();
  };
  return {
    begin,
    end,
    isForeign,
    close(written) {
      const element = meant(written);
      if (element === BREAK) {
        reader.open(element, noTag);
        reader.close(element);
      }
      if (element.isVoid) return;
      const at = open.findLastIndex(({ name }) => name === element.name);
      if (at >= 0) while (open.length > at) pop();
      else if (element === PARAGRAPH) {
        begin(element);
        end(noTag);
        pop();
      }
    },
    finish() {
      for (const element of open.toReversed()) reader.close(element);
    },
  };
}
