/** Nobody is greeted by the name of a business, and everybody by their own. docs/leads.md#names-in-files. */
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../src/domain/sending/message-values.ts';
import { OF_BUSINESSES, OF_PEOPLE } from '../support/leads/two-part-names.ts';

const firstNameOf = (firstName: string, company: string | null, lastName = '') =>
  valuesOf({
    recipient: { firstName, lastName, email: 'info@a.example', company },
    sender: { name: 'Bob', email: 'bob@send.example' },
    links: { unsubscribeUrl: 'https://outreach.example/u/a' },
    language: 'en',
  }).firstName;

const JOES = "Joe's Pizza & Grill – Downtown";

describe('a first name without a last one', () => {
  it.each([
    [JOES, null],
    [JOES, "Joe's Pizza"],
    [JOES, JOES],
    ['Acme Plumbing LLC', 'Acme Plumbing'],
    ['Acme Plumbing', 'Acme Plumbing LLC'],
    ['ACME PLUMBING', 'Acme Plumbing, Inc.'],
    ['Bäckerei Müller GmbH', null],
    ['Studio 54', null],
    ['Trattoria – Da Luigi', 'Da Luigi'],
    ['Müller & Söhne', null],
    // A possessive, and what only businesses are called.
    ["Joe's Pizza", null],
    ["Joe's Pizza", JOES],
    ['Joe’s', null],
    ["O'Neil's Pub", null],
    ["McDonald's", null],
    ['Pizza Hut', null],
    ['Coffee House Hotel', null],
    ['Restaurant Adler', 'Adler KG'],
    ['Zahnarztpraxis Dr. Müller', null],
    ['Blue Ridge Plumbing', 'Blue Ridge'],
    // It cannot be told from `Smith & Sons`, and a greeting without a name suits both.
    ['Anna & Tom', null],
  ])('is nobody’s where it has the signs of a business: %s, of %s', (firstName, company) => {
    expect(firstNameOf(firstName, company)).toBe('');
  });

  it.each([
    ['Mary Jane', null],
    ['Mary Jane', 'Acme Plumbing LLC'],
    ['Jean-Pierre', 'Boulangerie'],
    ['Dr. Ana', null],
    ['D’Angelo', null],
    ["O'Neil", null],
    ['Anna', 'Anna GmbH'],
    ['Sá', null],
    ['محمد علي', 'شركة النور'],
    ['王小明', '小明科技有限公司'],
    ['Анна-Мария', null],
    ['Ng', null],
    ['José María', null],
    ['Inga', null],
    ['Kofi Sas', null],
    ['Bar', 'Bar Rafaeli'],
    ['Jude Law', null],
    ['Amos', 'Amos’ Hotel'],
    ['Дар’я', null],
    ['Sales', null],
    ['Linda Coffee', null],
    ['The Anh', null],
    ['Joe Pizza', null],
  ])('is a person’s: %s, of %s', (firstName, company) => {
    expect(firstNameOf(firstName, company)).toBe(firstName);
  });
});

describe('a first name beside a last one', () => {
  it.each(OF_PEOPLE)('stays: %s %s, of %s', (firstName, lastName, company) => {
    expect(firstNameOf(firstName, company, lastName)).toBe(firstName);
  });

  it.each(OF_BUSINESSES)(
    'is nobody’s where no person is called so: %s %s, of %s',
    (firstName, lastName, company) => {
      expect(firstNameOf(firstName, company, lastName)).toBe('');
    },
  );
});
