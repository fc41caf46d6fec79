import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());

const visit = (website: string) =>
  createCrawler(world.options).visit({ website, countryCode: null });

describe('a certificate', () => {
  test('of the right name by a known authority is accepted', async () => {
    world.site('good.com', { '/': 'here' });
    expect(await visit('https://good.com')).toMatchObject({
      state: 'found',
      pages: ['https://good.com/'],
    });
  });

  test('of another name is refused, and the reason says so', async () => {
    world.site('wrong.com', { '/': 'here' }, { certificateFor: ['other.com'] });
    const answer = await visit('https://wrong.com');
    expect(answer).toMatchObject({ state: 'unreachable', pages: [] });
    expect(answer.reason).toBe(
      'wrong.com has a certificate that is not valid (ERR_TLS_CERT_ALTNAME_INVALID).',
    );
    expect(world.requests.filter(({ host }) => host === 'wrong.com')).toEqual([]);
  });

  test('that is broken leaves http to an address without a protocol', async () => {
    world.site('half.com', { '/': 'here' }, { certificateFor: ['other.com'] });
    expect((await visit('half.com')).pages).toEqual(['http://half.com/']);
  });
});

describe('a port', () => {
  test('443 that says nothing leaves http to an address without a protocol', async () => {
    const settings = { ports: [80], silentPorts: [443] };
    world.site('dropped.com', { '/': 'here' }, settings);
    expect((await visit('dropped.com')).pages).toEqual(['http://dropped.com/']);
  }, 180_000);

  test('443 that says nothing ends the visit of an address with https', async () => {
    const settings = { ports: [80], silentPorts: [443] };
    world.site('dropped-too.com', { '/': 'here' }, settings);
    expect(await visit('https://dropped-too.com')).toMatchObject({ state: 'unreachable' });
    expect(world.requests.filter(({ host }) => host === 'dropped-too.com')).toEqual([]);
  }, 180_000);

  test('that speaks no TLS is found out', async () => {
    // 8080 of the world speaks HTTP.
    world.site('plain-port.com', { '/': 'here' });
    const answer = await visit('https://plain-port.com:8080');
    expect(answer.state).toBe('unreachable');
    expect(answer.reason).toMatch(/plain-port\.com (speaks no TLS|broke the connection)/);
  });

  test('8080 and 8443 are those of websites too, others are not', async () => {
    world.site('ports.com', { '/': 'here' });
    expect((await visit('http://ports.com:8080')).state).toBe('found');
    for (const port of [21, 22, 25, 3306, 6379, 8000, 9200]) {
      expect(await visit(`http://ports.com:${port}`)).toMatchObject({
        state: 'refused',
        reason: `Port ${port} is not one of a website.`,
      });
    }
  });
});
