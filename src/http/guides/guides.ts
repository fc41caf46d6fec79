/** Guides for clients, which the API serves as they are in `docs`: not of every operation, but how things behave. */
import { readFileSync } from 'node:fs';

/** A file of `docs` without its ending, and in a line what it tells. */
export const GUIDES: Readonly<Record<string, string>> = {
  api: 'What holds for all operations: keys, envelopes, errors, pages, repeats, limits, webhooks, test mode.',
  'command-line': 'The API from a shell: login, commands, events to a program on your own machine.',
  mcp: 'Tools for language models by the Model Context Protocol: how to connect, what needs a grant.',
  'test-mode': 'Keys `svc_test_...`: everything in a sandbox, with names that make things fail.',
  interest: 'What the answers of people mean, how it is judged, and how it is corrected.',
  leads:
    'What becomes of people who are put in, who counts as the same person, and fields of your own.',
  'campaign-messages': 'What is sent, what stands under it, and what opens and clicks count.',
  webhooks:
    'Events: their types, how they are posted and signed, how to read them without an endpoint.',
  'audit-log': 'Who changed what in an account: what has an entry, and what an entry tells.',
  placement: 'Seed mailboxes of your own, and where a campaign’s message lands in them.',
  schedules:
    'What is repeated on days of your choice and what was new; long jobs, and how to retry or cancel them.',
  mailboxes:
    'Mailboxes that you have elsewhere: connecting one or a file of them, what vendors want, what errors mean.',
  warmup: 'How a new mailbox earns its reputation, day by day.',
  glossary: 'The words.',
};

/** Where it is, in the sources and in what is built of them. */
export const guideFile = (name: string): string => `docs/${name}.md`;

/** Markdown, with links to what is served; undefined where there is no such guide. */
export function readGuide(name: string): string | undefined {
  if (!Object.hasOwn(GUIDES, name)) return undefined;
  const text = readFileSync(new URL(`../../../${guideFile(name)}`, import.meta.url), 'utf8');
  return text.replaceAll(LINK, (link, words: string, target: string) =>
    isServed(target) ? link : words,
  );
}

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Sections of the page itself, addresses of the API, other sites, and guides; the files beside them are not in the image. */
function isServed(target: string): boolean {
  if (/^(#|\/|https?:)/.test(target)) return true;
  const guide = /^([\w-]+)\.md(#.*)?$/.exec(target)?.[1];
  return guide !== undefined && Object.hasOwn(GUIDES, guide);
}
