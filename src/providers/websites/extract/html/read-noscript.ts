/** What is shown only without scripts: in place of a script's output, or for robots. */
import type { Reading } from './reading.ts';
import type { Tag } from './tag.ts';

export function openNoscript(reading: Reading, { from }: Tag): void {
  reading.noscript += 1;
  if (reading.noscript > 1) return;
  reading.fallback = isOfScript(reading.html, from) ? null : reading.page.length();
}

export function closeNoscript(reading: Reading): void {
  reading.noscript = Math.max(0, reading.noscript - 1);
  const { fallback: start, page, source } = reading;
  const end = page.length();
  if (reading.noscript > 0 || start === null || end <= start) return;
  reading.fallback = null;
  if (source.fallbacks.length < MAX_FALLBACKS) source.fallbacks.push({ start, end });
}

const MAX_FALLBACKS = 100;
const REACH = 600;

/** Whether it follows a script that may write an address: then it says the same to everybody. */
function isOfScript(html: string, from: number): boolean {
  const before = html.slice(Math.max(0, from - REACH), from).trimEnd();
  if (!/<\/script\s*>$/i.test(before)) return false;
  const script = before.slice(Math.max(0, before.search(/<script(?![\s\S]*<script)/i)));
  return /mail|@|&#|write|addr|crypt|contact|kontakt|fromCharCode|unescape/i.test(script);
}
