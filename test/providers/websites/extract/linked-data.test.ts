/** What is taken from JSON-LD is bounded, as all that a stranger's page says. */
import { expect, it } from 'vitest';
import { readLinkedData } from '../../../../src/providers/websites/extract/linked-data.ts';

const person = (name: string) =>
  JSON.stringify({ '@type': 'Person', name, email: 'ann.lee@acme.com' });

it('the name of a person is taken where it can be one', () => {
  expect(readLinkedData([person('Ann Lee')]).emails).toEqual([
    { value: 'ann.lee@acme.com', name: 'Ann Lee' },
  ]);
});

it('the address of a person whose name is a text is taken without it', () => {
  expect(readLinkedData([person('Ann '.repeat(2_000))]).emails).toEqual([
    { value: 'ann.lee@acme.com', name: undefined },
  ]);
});
