/** What counts as wrong with a mail host, and how a client is told. */
import { describe, expect, it } from 'vitest';
import { hostHealth, hostTroubles, type HostSigns } from '../../src/domain/clusters/host-health.ts';

const now = new Date('2026-11-26T08:00:00Z');
const well: HostSigns = {
  queued: 3,
  diskUsedPercent: 40,
  stoppedServices: [],
  closedPorts: [],
  needsReboot: false,
};
const certificate = { expiresAt: '2027-01-20T00:00:00Z' };
const kinds = (signs: Partial<HostSigns>, expiresAt = certificate.expiresAt) =>
  hostTroubles({ signs: { ...well, ...signs }, certificate: { expiresAt } }, now).map(
    ({ kind }) => kind,
  );

describe('a mail host', () => {
  it('has no trouble when all of it is well, nor when an upgrade waits for a reboot', () => {
    expect(kinds({})).toEqual([]);
    expect(kinds({ needsReboot: true })).toEqual([]);
  });

  it.each<[string, Partial<HostSigns>, string[]]>([
    ['a full disk', { diskUsedPercent: 85 }, ['disk']],
    ['a disk that is almost so', { diskUsedPercent: 84 }, []],
    ['a long queue', { queued: 500 }, ['queue']],
    ['a stopped service', { stoppedServices: ['opendkim'] }, ['services']],
    ['a closed port', { closedPorts: [993] }, ['ports']],
    [
      'several',
      { closedPorts: [25], queued: 900, diskUsedPercent: 99 },
      ['ports', 'disk', 'queue'],
    ],
  ])('with %s is in trouble', (_name, signs, wanted) => expect(kinds(signs)).toEqual(wanted));

  it('is in trouble once certbot should have renewed its certificate, and without one', () => {
    expect(kinds({}, '2026-12-10T08:00:01Z')).toEqual([]);
    expect(kinds({}, '2026-12-10T07:59:59Z')).toEqual(['certificate']);
    expect(hostTroubles({ signs: well, certificate: null }, now)).toMatchObject([
      { kind: 'certificate' },
    ]);
  });

  it('with an older program is judged by its certificate alone', () => {
    expect(hostTroubles({ signs: null, certificate }, now)).toEqual([]);
    expect(hostHealth(null).state).toBe('unknown');
  });

  it('is failing to its client when mail does not flow, and a warning before', () => {
    const stateOf = (signs: Partial<HostSigns>) => hostHealth({ ...well, ...signs }).state;
    expect(stateOf({})).toBe('ok');
    expect(stateOf({ diskUsedPercent: 90 })).toBe('warning');
    expect(stateOf({ diskUsedPercent: 95 })).toBe('failing');
    expect(stateOf({ queued: 600 })).toBe('warning');
    expect(stateOf({ stoppedServices: ['dovecot'] })).toBe('failing');
    expect(hostHealth({ ...well, needsReboot: true }).message).toMatch(/waits for a reboot$/);
  });
});
