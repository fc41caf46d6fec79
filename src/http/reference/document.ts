/** The document that the reference page shows: the API's, with the guide in front and code in TypeScript. */
import { readFileSync } from 'node:fs';
import { readGuide } from '../guides/guides.ts';
import type { OpenApiDocument } from '../openapi.ts';

/** The guide that the page begins with. */
const FIRST_GUIDE = 'api';

/** `/openapi.json` goes without both: they are for people, and would double it. */
export function referenceDocument(document: OpenApiDocument): OpenApiDocument {
  const { client, calls } = readSamples();
  const paths = mapValues(document.paths ?? {}, (item) =>
    mapValues(item, (operation: Shown) => {
      const call = calls[operation.operationId ?? ''];
      return {
        ...operation,
        summary: titleOf(operation.summary ?? ''),
        ...(call !== undefined && { 'x-codeSamples': [sample(`${client}\n\n${call}`)] }),
      };
    }),
  );
  return { ...document, info: { ...document.info, description: firstGuide() }, paths };
}

const sample = (source: string) => ({ lang: 'TypeScript', label: 'TypeScript', source });

interface Shown {
  operationId?: string;
  summary?: string;
}

/** A title is no sentence, and no Markdown. */
const titleOf = (summary: string): string => summary.replaceAll('`', '').replace(/\.$/, '');

/** Without its title, which is the page's own; links lead to where other guides are served, and to its own sections on the page. */
function firstGuide(): string {
  const text = readGuide(FIRST_GUIDE) ?? '';
  return text
    .replace(/^# .+\n+/, '')
    .replaceAll(/\]\(([\w-]+\.md)\)/g, '](/docs/guides/$1)')
    .replaceAll('](#', '](#description/');
}

interface Samples {
  /** The lines that make the client. */
  client: string;
  /** What follows them, by `operationId`. */
  calls: Record<string, string>;
}

/** src/dev/contract/typescript-samples.ts wrote them. */
function readSamples(): Samples {
  const file = new URL('typescript-samples.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Samples;
}

const mapValues = <T extends object>(of: T, change: (value: T[keyof T]) => unknown): T =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [name, change(value as T[keyof T])]),
  ) as T;
