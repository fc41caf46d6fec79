/** How answers are read. */
import type { ListKind, Page } from './pages.ts';

/** `data`: what stands there. `whole`: the body. `text`, `bytes`: a file. */
export type AnswerKind = 'data' | 'whole' | 'text' | 'bytes' | ListKind;

interface Envelope {
  data: unknown;
  meta?: { pagination: Page<unknown>['pagination'] };
}

/** What an operation gives back. */
export async function readAnswer(kind: AnswerKind, response: Response): Promise<unknown> {
  if (kind === 'text') return response.text();
  if (kind === 'bytes') return new Uint8Array(await response.arrayBuffer());
  const body = (await response.json()) as Envelope;
  if (kind === 'whole') return body;
  if (kind === 'data' || kind === 'items') return body.data;
  const items = body.data as unknown[];
  const pagination = body.meta?.pagination ?? { limit: items.length, hasNext: false };
  return { items, pagination };
}
