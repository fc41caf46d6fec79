/** Which rooms each noun may import from: its own in every layer, and those named here. */
import { dirname, join } from 'node:path';
import { importsOf, type SourceFile } from './import-check.ts';

/** Folders that have a room for each noun. `src/transactions` spans nouns and may import all. */
export const layersOfNouns = [
  'src/routes',
  'src/services',
  'src/db',
  'src/domain',
  'activities',
  'workflows',
] as const;

/** For each importing noun: the other nouns whose rooms in other layers it may import. */
export const nounTable: Readonly<Record<string, readonly string[]>> = {
  accounts: ['campaigns', 'inbox', 'wallet', 'webhooks'],
  campaigns: [
    'accounts',
    'domains',
    'email-validation',
    'inbox',
    'leads',
    'mailboxes',
    'operations',
    'sending',
    'shards',
    'warmup',
  ],
  clusters: ['accounts', 'domains', 'inbox', 'mail-reports', 'mailboxes', 'operations', 'wallet'],
  discovery: ['accounts', 'email-validation', 'leads', 'operations', 'suppressions'],
  domains: ['accounts', 'mail-reports', 'operations', 'sending', 'wallet'],
  'email-validation': ['accounts', 'campaigns', 'leads', 'operations', 'sending', 'suppressions'],
  engine: [
    'clusters',
    'discovery',
    'email-validation',
    'inbox',
    'leads',
    'maps',
    'operations',
    'sending',
    'warmup',
  ],
  inbox: [
    'accounts',
    'campaigns',
    'email-validation',
    'leads',
    'mailboxes',
    'operations',
    'sending',
    'suppressions',
    'warmup',
    'webhooks',
  ],
  leads: ['accounts', 'campaigns', 'email-validation', 'operations', 'sending', 'suppressions'],
  'mail-reports': ['clusters', 'domains', 'inbox', 'mailboxes'],
  mailboxes: ['accounts', 'clusters', 'inbox', 'mail-reports', 'operations', 'sending', 'webhooks'],
  maps: [
    'accounts',
    'discovery',
    'email-validation',
    'leads',
    'operations',
    'schedules',
    'suppressions',
  ],
  operations: [
    'accounts',
    'clusters',
    'domains',
    'inbox',
    'mailboxes',
    'sending',
    'shards',
    'wallet',
    'webhooks',
  ],
  placement: ['accounts', 'campaigns', 'email-validation', 'mailboxes', 'operations', 'sending'],
  reconcile: ['clusters', 'domains', 'operations', 'wallet'],
  schedules: ['accounts', 'campaigns', 'discovery', 'leads', 'maps', 'operations', 'placement'],
  sending: [
    'accounts',
    'campaigns',
    'email-validation',
    'inbox',
    'leads',
    'mailboxes',
    'operations',
    'warmup',
    'webhooks',
  ],
  suppressions: ['accounts', 'leads'],
  wallet: ['accounts', 'operations'],
  shards: ['operations', 'sending'],
  warmup: ['accounts', 'mailboxes', 'operations', 'sending', 'shards'],
  webhooks: ['accounts', 'campaigns', 'clusters', 'inbox', 'wallet'],
};

/** Rooms that belong to no noun: contracts, and what all flows share. */
const shared = new Set(['contracts', 'engine']);

interface Room {
  layer: string;
  noun: string;
}

/** The room of a file; undefined where it is in none. */
export function roomOf(path: string): Room | undefined {
  const layer = layersOfNouns.find((each) => path.startsWith(`${each}/`));
  const [noun, ...rest] = layer === undefined ? [] : path.slice(layer.length + 1).split('/');
  return layer === undefined || noun === undefined || rest.length === 0
    ? undefined
    : { layer, noun };
}

/** Every import from a room into another one, as paths. */
export function* roomImports(
  files: readonly SourceFile[],
): Generator<{ path: string; from: Room; to: Room; target: string }> {
  for (const { path, text } of files) {
    const from = roomOf(path);
    if (!from) continue;
    for (const { specifier } of importsOf(text)) {
      if (!specifier.startsWith('.')) continue;
      const target = join(dirname(path), specifier);
      const to = roomOf(target);
      if (to && (to.layer !== from.layer || to.noun !== from.noun))
        yield { path, from, to, target };
    }
  }
}

/** Imports into rooms of other nouns that the table does not name. */
export const strangers = (
  files: readonly SourceFile[],
  table: Readonly<Record<string, readonly string[]>>,
): string[] =>
  [...roomImports(files)]
    .filter(({ from, to }) => from.layer !== to.layer && from.noun !== to.noun)
    .filter(({ from, to }) => !shared.has(from.noun) && !shared.has(to.noun))
    .filter(({ from, to }) => !table[from.noun]?.includes(to.noun))
    .map(({ path, target }) => `${path} enters ${target}`);

/** Rooms of one layer that import each other, directly or through others: one path for each circle. */
export function circlesOfRooms(files: readonly SourceFile[], layer: string): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of roomImports(files)) {
    if (from.layer !== layer || to.layer !== layer) continue;
    next.set(from.noun, (next.get(from.noun) ?? new Set()).add(to.noun));
  }
  const circles = new Set<string>();
  const walk = (path: readonly string[]): void => {
    for (const noun of next.get(path.at(-1)!) ?? []) {
      const start = path.indexOf(noun);
      if (start < 0) walk([...path, noun]);
      else circles.add([...path.slice(start), noun].join(' > '));
    }
  };
  for (const noun of next.keys()) walk([noun]);
  return [...circles];
}
