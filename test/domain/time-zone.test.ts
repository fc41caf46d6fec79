/** Names of time zones that count. */
import { expect, it } from 'vitest';
import { canonicalTimeZone } from '../../src/domain/time-zone.ts';

it.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['America/New_York', 'America/New_York'],
  ['utc', 'UTC'],
])('%s is %s', (name, zone) => {
  expect(canonicalTimeZone(name)).toBe(zone);
});

it.each([
  'BST',
  'AST',
  'ART',
  'ect',
  'IST',
  'PST',
  'SystemV/AST4',
  'systemv/est5edt',
  'Mars/Olympus',
  '+02:00',
  'Eastern Time',
  '',
])('%j is none', (name) => {
  expect(canonicalTimeZone(name)).toBeUndefined();
});
