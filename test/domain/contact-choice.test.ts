/** The best addresses of a site come first, each with the reason in plain words. */
import { describe, expect, it } from 'vitest';
import { chooseContacts } from '../../src/domain/discovery/contact-choice.ts';
import type { FoundEmail, SiteContacts } from '../../src/domain/discovery/contacts.ts';

const website = 'https://www.acme.de/';

function contact(email: string, more: Partial<FoundEmail> = {}): FoundEmail {
  const kind = /^(info|jobs|noreply)@/.test(email) ? 'generic' : 'personal';
  return { email, kind, page: website, form: 'mailto', ...more };
}

const contacts = (...emails: FoundEmail[]): SiteContacts => ({
  emails,
  phones: [],
  profiles: [],
  contactPages: [],
});
const chosen = (emails: FoundEmail[], more: Partial<Parameters<typeof chooseContacts>[1]> = {}) =>
  chooseContacts(contacts(...emails), { website, includeGeneric: true, ...more });

describe('the choice of contacts', () => {
  it('puts people on the own domain first, then its mailbox, free mail, other domains', () => {
    const emails = [
      'x@other.de',
      'acme.berlin@gmail.com',
      'jobs@acme.de',
      'info@acme.de',
      'anna.berg@acme.de',
    ];
    expect(chosen(emails.map((email) => contact(email))).map(({ email }) => email)).toEqual([
      'anna.berg@acme.de',
      'info@acme.de',
      'acme.berlin@gmail.com',
      'jobs@acme.de',
      'x@other.de',
    ]);
  });

  it('gives each its reason in plain words', () => {
    const emails = [
      contact('anna.berg@acme.de', { page: 'https://www.acme.de/team', name: 'Anna Berg' }),
      contact('info@acme.com'),
      contact('acme@gmail.com', { page: 'https://www.acme.de/kontakt' }),
      contact('x@other.de'),
    ];
    expect(
      chosen(emails, { validationScores: new Map([['x@other.de', 40]]) }).map(
        ({ reason }) => reason,
      ),
    ).toEqual([
      "personal address of Anna Berg on the business's own domain, found on /team",
      'general address on a domain of the same name, found on the home page',
      'personal address at a free mail provider, found on /kontakt',
      'personal address on another domain, found on the home page, validated with 40 of 100',
    ]);
  });

  it('leaves out mailboxes of roles when asked to', () => {
    const emails = [contact('info@acme.de'), contact('anna@acme.de')];
    expect(chosen(emails, { includeGeneric: false }).map(({ email }) => email)).toEqual([
      'anna@acme.de',
    ]);
  });

  it('keeps to the number asked for', () => {
    const emails = ['a@acme.de', 'b@acme.de', 'c@acme.de'].map((email) => contact(email));
    expect(chosen(emails, { max: 2 })).toHaveLength(2);
    expect(chosen(emails, { max: 0 })).toEqual([]);
  });

  it('lets validation overrule looks', () => {
    const emails = [contact('anna@acme.de'), contact('info@acme.de')];
    const validationScores = new Map([
      ['anna@acme.de', 0],
      ['info@acme.de', 95],
    ]);
    expect(chosen(emails, { validationScores })[0]!.email).toBe('info@acme.de');
  });

  it('knows a domain of the same name under another ending, and neighbours on one host', () => {
    const [reason] = chosen([contact('info@acme.berlin')]).map((each) => each.reason);
    expect(reason).toContain('on a domain of the same name');
    const [other] = chooseContacts(contacts(contact('info@other.github.io')), {
      website: 'https://acme.github.io/',
      includeGeneric: true,
    });
    expect(other!.reason).toContain('on another domain');
  });

  it('takes any form of website', () => {
    for (const form of ['acme.de', 'www.acme.de/x', 'http://acme.de', '', '%%'])
      expect(() => chosen([contact('info@acme.de')], { website: form })).not.toThrow();
  });
});
