/** Errors of which clients are the cause: one list says so, to clients and to the objectives. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientProblem } from '../../src/domain/client-words.ts';
import { isClientsOwn } from '../../src/domain/failures.ts';
import { endOutcome } from '../../src/domain/operations/objectives.ts';
import { root } from '../../src/dev/processes/processes.ts';

/** What an activity may throw that counts as a failure of ours, and why. */
const OURS: Record<string, string> = {
  NO_CAPACITY: 'we choose the vendors of servers, and could ask another one',
  RENEWAL_ABOVE_CAP: 'an operator decides whether the price is paid',
};

/** Thrown where a request is answered, and never in a run. */
const OF_REQUESTS = ['NO_SEEDS', 'INVALID_SIGNATURE'];

const CODES = [
  /\binvalid\(\s*(?:[^'()]+\?\? )?'([A-Z_]+)'/g,
  /\bOutreachError\(\s*'(?:invalid|not_found|payment_required)',\s*'([A-Z_]+)'/g,
  /\bclientCode(?::| =) '([A-Z_]+)'/g,
  /\brefusal\(\s*'([A-Z_]+)'/g,
];

/** Activities, the transactions that they share with services, and the vendors that they ask. */
async function thrownCodes(): Promise<string[]> {
  const texts = ['activities', 'src/transactions', 'src/providers'].map(async (folder) => {
    const names = await readdir(join(root, folder), { recursive: true });
    const sources = names.filter((name) => name.endsWith('.ts'));
    return Promise.all(sources.map((name) => readFile(join(root, folder, name), 'utf8')));
  });
  const all = (await Promise.all(texts)).flat().join('\n');
  const codes = CODES.flatMap((form) => [...all.matchAll(form)].map(([, code]) => code!));
  return [...new Set(codes)].toSorted();
}

describe('errors that clients cause', () => {
  it('never count as failures of ours, and each other code says why it does', async () => {
    const codes = await thrownCodes();
    expect(codes).toEqual(
      expect.arrayContaining([
        'CAMPAIGN_NOT_FOUND',
        'DNS_CONFLICT',
        'DOMAIN_UNAVAILABLE',
        'NO_AD_LIBRARY',
        'NO_LEADS_IMPORTED',
      ]),
    );
    const failed = codes.filter((code) => endOutcome('failed', code) === 'failed');
    const placed = [...Object.keys(OURS), ...OF_REQUESTS];
    expect(failed.filter((code) => !placed.includes(code))).toEqual([]);
    expect(placed.filter((code) => !failed.includes(code))).toEqual([]);
  });

  it('says of a recharge that is not wanted any more what became of it', () => {
    const told = clientProblem({ code: 'NO_LONGER_WANTED', message: 'no_longer_wanted' });
    expect(told.message).toMatch(/^Nothing was charged: /);
  });

  it('are told in the words that were thrown', () => {
    for (const code of ['NO_LEADS_IMPORTED', 'CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_READY']) {
      expect(isClientsOwn(code)).toBe(true);
      expect(clientProblem({ code, message: 'Ours.' })).toEqual({ code, message: 'Ours.' });
    }
    expect(clientProblem({ code: 'LOST', message: 'A vendor.' }).message).not.toContain('vendor');
  });
});
