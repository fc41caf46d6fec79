/** DNS blocklists of the world (RFC 5782), and `/_sandbox/blocklists` to put addresses on them. */
import { isIPv4 } from 'node:net';
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from './core.ts';
import { checked } from './control-api.ts';
import type { ZoneRecord, ZoneSource } from './zone.ts';

/** Each with the codes of its test entry, as its documentation has them. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'zen.spamhaus.org': ['127.0.0.2', '127.0.0.4', '127.0.0.10'],
  'bl.spamcop.net': ['127.0.0.2'],
};
const NAMES = Object.keys(LISTS) as [string, ...string[]];
const TEST_ENTRY = '127.0.0.2';
const TTL_SECONDS = 60;

const listingBody = z
  .strictObject({
    list: z.enum(NAMES),
    /** One address, or the next ones that a vendor hands out. */
    address: z.ipv4().optional(),
    next: z.int().min(1).max(100).optional(),
    codes: z.array(z.ipv4()).min(1).default(['127.0.0.2']),
    /** What the list answers whoever asks: 127.255.255.254 for a public resolver, `world` for a dead list. */
    answersAll: z.union([z.ipv4(), z.literal('nothing')]).optional(),
  })
  .refine(
    ({ address, next, answersAll }) =>
      [address, next, answersAll].filter((given) => given !== undefined).length === 1,
    'one of address, next, answersAll',
  );

interface Listed {
  list: string;
  address: string;
  codes: string[];
}

interface Upcoming {
  list: string;
  left: number;
  codes: string[];
}

export function createBlocklists(core: SandboxCore): StandIn {
  const { store } = core;
  const put = (listed: Listed) =>
    store.put('blocklisted', `${listed.list} ${listed.address}`, listed);
  core.hosts.onAllocate((address) => {
    for (const { list, left, codes } of store.list<Upcoming>('blocklists-next')) {
      if (left === 0) continue;
      store.put('blocklists-next', list, { list, left: left - 1, codes });
      put({ list, address, codes });
    }
  });
  core.zone.addSource(listZone(core));

  const control = Router();
  const shown = () => ({
    listed: store.list<Listed>('blocklisted'),
    next: store.list<Upcoming>('blocklists-next').filter(({ left }) => left > 0),
    answersAll: store.list('blocklists-answer'),
  });
  control.get('/blocklists', (_request, response) => void response.json(shown()));
  control.put('/blocklists', (request, response) => {
    const { list, address, next, codes, answersAll } = checked(listingBody, request.body);
    if (address !== undefined) put({ list, address, codes });
    if (next !== undefined) store.put('blocklists-next', list, { list, left: next, codes });
    if (answersAll !== undefined)
      store.put('blocklists-answer', list, { list, answer: answersAll });
    response.json(shown());
  });
  control.delete('/blocklists', (_request, response) => {
    for (const { list, address } of store.list<Listed>('blocklisted')) {
      store.delete('blocklisted', `${list} ${address}`);
    }
    for (const list of NAMES) {
      store.delete('blocklists-next', list);
      store.delete('blocklists-answer', list);
    }
    response.json(shown());
  });
  return { name: 'blocklists', control };
}

function listZone({ store }: SandboxCore): ZoneSource {
  const records = (name: string): ZoneRecord[] => {
    const list = NAMES.find((each) => name.endsWith(`.${each}`));
    if (list === undefined) return [];
    const address = name
      .slice(0, -list.length - 1)
      .split('.')
      .toReversed()
      .join('.');
    if (!isIPv4(address)) return [];
    const all = store.get<{ answer: string }>('blocklists-answer', list)?.answer;
    if (all === 'nothing') return [];
    const codes = all !== undefined ? [all] : codesOf(list, address);
    return codes.map((value) => ({ name, type: 'A', value, ttlSeconds: TTL_SECONDS }));
  };
  const codesOf = (list: string, address: string): readonly string[] =>
    address === TEST_ENTRY
      ? LISTS[list]!
      : (store.get<Listed>('blocklisted', `${list} ${address}`)?.codes ?? []);
  return { records, hasName: (name) => NAMES.includes(name) || records(name).length > 0 };
}
