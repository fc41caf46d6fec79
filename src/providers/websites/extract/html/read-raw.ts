/** Elements whose text is kept apart until they end: scripts, titles. */
import { elementOf, type Element } from './elements.ts';
import { labelOfWords } from '../labels.ts';
import { MAX_LINKED_DATA, MAX_SCRIPT_LENGTH } from './page-source.ts';
import { addScript, readWords, targetOf, WRITES_ADDRESS } from './read-attributes.ts';
import { addToLink } from '../links/read-links.ts';
import type { Reading } from './reading.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { plainText } from './text.ts';

const SCRIPT = elementOf('script');
const TITLE = elementOf('title');

/** Begins to keep the text of `element`, where it is such an element. */
export function openRaw(reading: Reading, element: Element, tag: Tag): void {
  if (element !== SCRIPT && element !== TITLE) return;
  const type = tag.values[ATTRIBUTE.type] ?? '';
  reading.raw = { element, type, parts: [], length: 0 };
}

export function addRaw(raw: NonNullable<Reading['raw']>, data: string): void {
  raw.length += data.length;
  if (raw.length <= 2 * MAX_SCRIPT_LENGTH) raw.parts.push(data);
}

export function closeRaw(reading: Reading): void {
  const { source, unshown } = reading;
  const { element, type, parts } = reading.raw!;
  reading.raw = null;
  if (unshown > 0) return;
  const content = parts.join('');
  if (element === TITLE) {
    if (reading.drawings > 0) readDrawingTitle(reading, content);
    else source.title ||= plainText(content).trim().slice(0, 300);
  } else if (/ld\+json/i.test(type)) {
    if (source.linkedData.length < MAX_LINKED_DATA) source.linkedData.push(content);
  } else if (!/json|template|html/i.test(type)) {
    if (WRITES_ADDRESS.test(content)) addScript(source, content);
    source.scriptTarget ??= targetOf(content);
  }
}

/** Browsers show a drawing's title as a label, like `title` of other elements. */
function readDrawingTitle(reading: Reading, content: string): void {
  if (reading.unread > 0) return;
  const words = content.trim();
  addToLink(reading, words);
  readWords(reading.source, { value: words, at: reading.page.length(), label: () => null });
  reading.page.say(labelOfWords(words));
}
