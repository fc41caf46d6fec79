/** Which names may have a certificate of an authority (RFC 8659), by the records of the closest name that has some. */
import { describe, expect, it } from 'vitest';
import {
  authorityRecords,
  caaIssuer,
  caaRecord,
  listForbidden,
} from '../../src/domain/domains/caa.ts';
import { parseCaa } from '../../src/domain/domains/caa-value.ts';
import { mergeRecords, sameRecord, type PlannedRecord } from '../../src/domain/domains/dns-plan.ts';

const OURS = '0 issue "letsencrypt.org"';

async function check(zone: Record<string, string[]>) {
  const asked: string[] = [];
  const dns = {
    async resolveCaa(name: string) {
      asked.push(name);
      return (zone[name] ?? []).map((text) => parseCaa(text)!);
    },
  };
  const names = ['mail.acme.com'];
  const [found] = await listForbidden(dns, { names, issuer: 'letsencrypt.org' });
  return { found, asked };
}

describe('a name', () => {
  it.each<[string, Record<string, string[]>]>([
    ['has no CAA records anywhere', {}],
    ['is given to ours', { 'mail.acme.com': [OURS] }],
    ['is given to ours among others', { 'acme.com': ['0 issue "digicert.com"', OURS] }],
    ['is given to ours in other letters', { 'acme.com': ['0 Issue "LetsEncrypt.org"'] }],
    ['only tells whom to write to', { 'acme.com': ['0 iodef "mailto:ca@acme.com"'] }],
    ['only speaks of wildcards', { 'acme.com': ['0 issuewild "digicert.com"'] }],
    [
      'has its own records below another’s',
      { 'mail.acme.com': [OURS], 'acme.com': ['0 issue ";"'] },
    ],
    [
      'asks for a proof by HTTP',
      { 'acme.com': [`0 issue "letsencrypt.org; validationmethods=dns-01,http-01"`] },
    ],
    ['has a property that nobody has to know', { 'acme.com': [OURS, '0 tbs "x"'] }],
    ['has a known one that is critical', { 'acme.com': [OURS, '128 iodef "mailto:a@acme.com"'] }],
  ])('that %s may have one', async (_words, zone) => {
    expect((await check(zone)).found).toBeUndefined();
  });

  it.each<[string, string[]]>([
    ['gives it to another', ['0 issue "digicert.com"']],
    ['gives it to nobody', ['0 issue ";"']],
    ['means a name that ends alike', ['0 issue "notletsencrypt.org"']],
    ['wants another account', ['0 issue "letsencrypt.org; accounturi=https://ca.test/acct/7"']],
    ['wants another proof', ['0 issue "letsencrypt.org; validationmethods=dns-01"']],
    ['has a critical property that nobody knows', [OURS, '128 tbs "x"']],
  ])('whose domain %s may not, and is told what to set', async (_words, texts) => {
    const { found } = await check({ 'acme.com': texts });
    expect(found).toMatchObject({
      name: 'mail.acme.com',
      message: expect.stringMatching(
        /^CAA acme\.com says .*; set CAA mail\.acme\.com 0 issue "letsencrypt\.org"$/,
      ),
      cure: { type: 'CAA', name: 'mail.acme.com', value: OURS },
    });
    // What is set there ends the walk: it does cure.
    expect((await check({ 'acme.com': texts, 'mail.acme.com': [OURS] })).found).toBeUndefined();
  });

  it('is told that a critical property beside it has to go', async () => {
    const { found } = await check({ 'mail.acme.com': [OURS, '128 tbs "x"'] });
    expect(found!.message).toMatch(
      /it has to be CAA mail\.acme\.com 0 issue "letsencrypt\.org" alone$/,
    );
  });

  it('is looked up to the top, and no further than the first answer', async () => {
    expect((await check({})).asked).toEqual(['mail.acme.com', 'acme.com', 'com']);
    expect((await check({ com: ['0 issue "digicert.com"'] })).found).toBeDefined();
    expect((await check({ 'mail.acme.com': [OURS] })).asked).toEqual(['mail.acme.com']);
  });

  it('is not looked up where the name of the authority is not known', async () => {
    const dns = { resolveCaa: () => Promise.reject(new Error('nobody asks')) };
    expect(await listForbidden(dns, { names: ['mail.acme.com'], issuer: undefined })).toEqual([]);
  });
});

describe('the name of the authority', () => {
  const of = (ACME_DIRECTORY_URL: string, ACME_CAA_ISSUER?: string) =>
    caaIssuer({ ACME_DIRECTORY_URL, ACME_CAA_ISSUER });

  it('follows from the directory, unless it is set', () => {
    expect(of('https://acme-v02.api.letsencrypt.org/directory')).toBe('letsencrypt.org');
    expect(of('https://acme-staging-v02.api.letsencrypt.org/directory')).toBe('letsencrypt.org');
    expect(of('https://notletsencrypt.org/directory')).toBeUndefined();
    expect(of('https://dv.acme-v02.api.pki.goog/directory')).toBeUndefined();
    expect(of('https://dv.acme-v02.api.pki.goog/directory', 'PKI.goog')).toBe('pki.goog');
  });
});

describe('the CAA records of a mail domain', () => {
  const mail = { domain: 'acme.com', hostName: 'mail.acme.com' };
  const needs = { issuer: 'letsencrypt.org', hasPolicy: true };
  const plan = authorityRecords(mail, needs);
  const missing = (existing: PlannedRecord[]) => mergeRecords(plan, existing).missing;

  it('are at the names of ours, not at the domain: a website there keeps its authority', () => {
    expect(plan).toEqual([
      caaRecord('mail', 'letsencrypt.org'),
      caaRecord('mta-sts', 'letsencrypt.org'),
    ]);
    expect(authorityRecords(mail, { ...needs, hasPolicy: false })).toHaveLength(1);
    const shared = { ...mail, hostName: 'mail.first.com' };
    expect(authorityRecords(shared, needs).map(({ name }) => name)).toEqual(['mta-sts']);
    expect(authorityRecords(mail, { ...needs, issuer: undefined })).toEqual([]);
  });

  it('are made beside records of other types and other names', () => {
    const other: PlannedRecord[] = [
      { type: 'A', name: 'mail', value: '198.18.0.1' },
      { type: 'CAA', name: 'www', value: '0 issue "digicert.com"' },
    ];
    expect(missing(other)).toEqual(plan);
    expect(missing([...other, plan[0]!])).toEqual([plan[1]]);
  });

  it.each(['@', 'MAIL'])('leave the owner’s at %s as they are', (name) => {
    const own: PlannedRecord = { type: 'CAA', name, value: '0 issue "digicert.com"' };
    const left = name === '@' ? [] : [plan[1]];
    expect(mergeRecords(plan, [own])).toEqual({ missing: left, conflicts: [] });
  });

  it('are known again in the spelling of a registrar', () => {
    const spelled = { ...plan[0]!, value: '0 ISSUE letsencrypt.org' };
    expect(sameRecord(plan[0]!, spelled)).toBe(true);
  });
});

describe('the value of a CAA record', () => {
  it.each(['0 issue "ca.test; a=b"', '128 issuewild ";"', '0 iodef mailto:a@b.test'])(
    'is %s',
    (text) => {
      expect(parseCaa(text)).toBeDefined();
    },
  );
  it.each([
    '',
    'issue "ca.test"',
    '256 issue "ca.test"',
    '0 is-sue "x"',
    '0 issue',
    '0 issue "a" "b"',
  ])('is not %j', (text) => expect(parseCaa(text)).toBeUndefined());
});
