/** Records of a mail domain, merged into whatever its owner has. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DNS_RECORD_TYPES,
  freeDkimSelector,
  fullName,
  hostRecords,
  labelOf,
  mergeRecords,
  mxRecords,
  policyOf,
  sameRecord,
  type PlannedRecord,
} from '../../src/domain/domains/dns-plan.ts';

const mail = {
  domain: 'acme.com',
  hostName: 'mail.acme.com',
  ipv4: '198.18.0.1',
  dkimSelector: 's1',
  dkimPublicKey: 'AAAA',
};
const plan = [...hostRecords(mail), ...mxRecords(mail)];
const missingIn = (existing: PlannedRecord[]) => mergeRecords(plan, existing).missing;

describe('the plan of a mail domain', () => {
  it('has address, SPF, DKIM, DMARC, TLS-RPT, two SRV, and the MX last', () => {
    expect(plan.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'A mail',
      'TXT @',
      'TXT s1._domainkey',
      'TXT _dmarc',
      'TXT _smtp._tls',
      'SRV _imaps._tcp',
      'SRV _submissions._tcp',
      'MX @',
    ]);
  });

  it('has no address for a host of another domain', () => {
    const shared = { ...mail, hostName: 'mail.first.com' };
    expect(hostRecords(shared).filter(({ type }) => type === 'A')).toEqual([]);
    expect(mxRecords(shared)).toEqual([
      { type: 'MX', name: '@', value: 'mail.first.com', priority: 10 },
    ]);
  });
});

describe('freeDkimSelector', () => {
  const held = (...names: string[]) => names.map((name) => ({ name }));

  it('counts on from the last one, and leaves out what a record holds', () => {
    expect(freeDkimSelector(null, [])).toBe('s1');
    expect(freeDkimSelector('s1', held('s1._domainkey'))).toBe('s2');
    expect(freeDkimSelector(null, held('S1._DomainKey', 's2._domainkey', 's3'))).toBe('s3');
    expect(freeDkimSelector('s9', held('s10._domainkey'))).toBe('s11');
  });

  it("goes on beside an owner's selector", () => {
    expect(freeDkimSelector('google', [])).toBe('s2');
  });
});

describe('mergeRecords', () => {
  it('adds everything to an empty zone', () => {
    expect(mergeRecords(plan, [])).toEqual({ missing: plan, conflicts: [] });
  });

  it("lets the owner's SPF, DMARC and TLS-RPT stand", () => {
    const own: PlannedRecord[] = [
      { type: 'TXT', name: '@', value: 'V=SPF1 include:_spf.example.com ~all' },
      { type: 'TXT', name: '_dmarc', value: 'v=DMARC1;p=reject' },
      { type: 'TXT', name: '_smtp._tls', value: 'v=TLSRPTv1; rua=https://reports.test/' },
      { type: 'TXT', name: '@', value: 'google-site-verification=1' },
    ];
    expect(missingIn(own).filter(policyOf)).toEqual([]);
    expect(mergeRecords(plan, own).conflicts).toEqual([]);
  });

  it.each<[string, PlannedRecord]>([
    ['another address of the host', { type: 'A', name: 'mail', value: '203.0.113.1' }],
    ['an alias at the host', { type: 'CNAME', name: 'mail', value: 'other.example' }],
    ['a foreign MX', { type: 'MX', name: '@', value: 'mx.example', priority: 5 }],
    ['our MX at another priority', { type: 'MX', name: '@', value: 'mail.acme.com', priority: 20 }],
    ["another provider's DKIM alias", { type: 'CNAME', name: 's1._domainkey', value: 'x.example' }],
    ['another DKIM key', { type: 'TXT', name: 's1._domainkey', value: 'v=DKIM1; p=BBBB' }],
  ])('reports %s as a conflict', (_title, record) => {
    const { missing, conflicts } = mergeRecords(plan, [record]);
    expect(conflicts).toEqual([record]);
    expect(missing).toHaveLength(plan.length - 1);
  });

  it('knows its own records in the spelling of a registrar', () => {
    const spelled = plan.map((record) => ({
      ...record,
      name: record.name.toUpperCase(),
      value: ['MX', 'SRV'].includes(record.type) ? `${record.value.toUpperCase()}.` : record.value,
    }));
    expect(mergeRecords(plan, spelled)).toEqual({ missing: [], conflicts: [] });
  });
});

/** Zones that are about the names of the plan, with policies and rivals of their own. */
const record: fc.Arbitrary<PlannedRecord> = fc.oneof(
  fc.constantFrom(...plan),
  fc.record({
    type: fc.constantFrom(...DNS_RECORD_TYPES),
    name: fc.constantFrom('@', 'mail', '_dmarc', 's1._domainkey', '_imaps._tcp', 'www'),
    value: fc.constantFrom(
      'v=spf1 -all',
      'v=spf1',
      'v=spf10',
      'v=DMARC1; p=none',
      'v=DKIM1; p=CCCC',
      '203.0.113.9',
      'mx.example.com',
      '1 993 mail.acme.com',
    ),
  }),
);
const zones = fc.array(record, { maxLength: 8 });

describe('mergeRecords, for any zone', () => {
  it('is done after one merge', () => {
    fc.assert(
      fc.property(zones, (existing) => {
        const { missing } = mergeRecords(plan, existing);
        expect(mergeRecords(plan, [...existing, ...missing]).missing).toEqual([]);
      }),
    );
  });

  it('never makes a second SPF, DMARC or DKIM record of a name', () => {
    fc.assert(
      fc.property(zones, (existing) => {
        const { missing } = mergeRecords(plan, existing);
        for (const added of missing.filter(({ type }) => type === 'TXT')) {
          const sort = (one: PlannedRecord) =>
            `${one.name} ${/^v=(spf1|DMARC1|DKIM1)\b/i.exec(one.value)?.[1]?.toLowerCase()}`;
          const rivals = existing.filter((one) => one.type === 'TXT' && sort(one) === sort(added));
          expect(rivals).toEqual([]);
        }
      }),
    );
  });

  it('adds only what is planned, and never beside an alias', () => {
    fc.assert(
      fc.property(zones, (existing) => {
        const { missing } = mergeRecords(plan, existing);
        for (const added of missing) {
          expect(plan).toContain(added);
          expect(existing.some((one) => sameRecord(one, added))).toBe(false);
          const alias = existing.some((one) => one.type === 'CNAME' && one.name === added.name);
          expect(alias).toBe(false);
        }
      }),
    );
  });

  it('leaves what exists as it is', () => {
    fc.assert(
      fc.property(zones, (existing) => {
        const before = structuredClone(existing);
        mergeRecords(plan, existing);
        expect(existing).toEqual(before);
      }),
    );
  });
});

describe('names of records', () => {
  it.each([
    ['mail.acme.com', 'mail'],
    ['acme.com', '@'],
    ['a.b.acme.com', 'a.b'],
    ['mail.first.com', undefined],
    ['mail.notacme.com', undefined],
  ])('%s in acme.com is the label %s', (name, label) => {
    expect(labelOf(name, 'acme.com')).toBe(label);
    expect(label === undefined || fullName(label, 'acme.com') === name).toBe(true);
  });
});
