/** The zone of a place: sure ones only, and each a zone that exists. */
import { describe, expect, it } from 'vitest';
import { STATE_ZONES, zoneOfPlace } from '../../src/domain/country-zones.ts';
import { canonicalTimeZone } from '../../src/domain/time-zone.ts';

const MARCH = new Date('2027-03-01T12:00:00.000Z');

describe('the zone of a place', () => {
  it.each([
    ['DE', null, 'Europe/Berlin'],
    ['fr', 'Occitanie', 'Europe/Paris'],
    ['GB', '', 'Europe/London'],
    ['ES', null, 'Europe/Madrid'],
    ['CN', 'Guangdong', 'Asia/Shanghai'],
    ['US', 'CA', 'America/Los_Angeles'],
    ['US', 'California', 'America/Los_Angeles'],
    ['US', 'new york', 'America/New_York'],
    ['US', 'D.C.', 'America/New_York'],
    ['US', 'US-CA', 'America/Los_Angeles'],
    ['CA', 'CA-ON', 'America/Toronto'],
    ['US', 'ca-on', undefined],
    ['BR', 'BR_SP', 'America/Sao_Paulo'],
    ['CA', 'Québec', 'America/Toronto'],
    ['BR', 'São Paulo', 'America/Sao_Paulo'],
    ['AU', 'WA', 'Australia/Perth'],
    ['MX', 'Baja California', 'America/Tijuana'],
    ['MX', 'Jalisco', 'America/Mexico_City'],
    ['ES', 'Canarias', 'Atlantic/Canary'],
  ])('of %s, %s is %s', (countryCode, state, zone) => {
    expect(zoneOfPlace({ countryCode, state }, MARCH)).toBe(zone);
  });

  it.each([
    ['US', null],
    ['US', 'Springfield'],
    ['RU', null],
    [null, 'CA'],
    ['', null],
    ['XX', null],
    ['Germany', null],
    ['1', null],
  ])('of %s, %s is not known', (countryCode, state) => {
    expect(zoneOfPlace({ countryCode, state }, MARCH)).toBeUndefined();
  });

  it('is one that exists, for each country of the world', () => {
    const letters = Array.from({ length: 26 }, (_, n) => String.fromCodePoint(65 + n));
    const codes = letters.flatMap((a) => letters.map((b) => `${a}${b}`));
    const zones = codes.flatMap(
      (countryCode) => zoneOfPlace({ countryCode, state: null }, MARCH) ?? [],
    );
    expect(zones.length).toBeGreaterThan(200);
    zones.push(...Object.values(STATE_ZONES).flatMap((ofCountry) => Object.keys(ofCountry)));
    expect(zones.filter((zone) => canonicalTimeZone(zone) === undefined)).toEqual([]);
  });
});
