/** A certificate authority's refusals, as operators read them and as they are repeated. */
import { describe, expect, it } from 'vitest';
import { certificateRefused } from '../../src/providers/mail-hosts/certificate-problems.ts';

const NOW = Date.parse('2026-11-24T08:00:00Z');
const refused = (said: string) =>
  certificateRefused(`certificate on 192.0.2.1: no certificate for mail.acme.com ${said}`, NOW);

describe('a refusal of the certificate authority', () => {
  it.each([
    ['(rateLimited): too many failed, retry after 2026-11-24 08:13:07 UTC: see x', 787_000],
    ['(rateLimited): too many certificates, retry after 2026-11-27 00:00:00 UTC', 6 * 3_600_000],
    ['(rateLimited): later', 3_600_000],
    ['(rateLimited): retry after 2026-11-24 07:00:00 UTC', 1_000],
  ])('of too many requests is repeated when it says, within hours: %s', (said, retryAfterMs) => {
    const { kind, facts } = refused(said);
    expect(kind).toBe('rate_limited');
    expect(facts).toMatchObject({ providerCode: 'rateLimited', retryAfterMs });
  });

  it.each([
    ['dns', /A record/],
    ['unauthorized', /answers under the name/],
    ['connection', /Port 80/],
    ['caa', /CAA record/],
    ['serverInternal', /outreach-mail\.log/],
  ])('%s says what a person can do', (type, hint) => {
    const { kind, facts } = refused(`(${type}): so`);
    expect(kind).toBe('unavailable');
    expect(facts.providerCode).toBe(type);
    expect(facts.operatorHint).toMatch(hint);
  });
});
