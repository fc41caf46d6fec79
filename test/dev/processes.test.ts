/** The settings that the world gives to the product's processes. */
import { describe, expect, it } from 'vitest';
import { productSettings, type WorldSettings } from '../../src/dev/processes/processes.ts';
import { ACME_DIRECTORY_URL } from '../../src/sandbox/real-servers/addresses.ts';

const settingsOf = (more: Partial<WorldSettings> = {}) =>
  productSettings({
    ports: { sandbox: 3900 },
    secrets: {},
    temporal: { address: '127.0.0.1:7233', namespace: 'default', started: true },
    stateDir: '/nowhere',
    daySeconds: 20,
    ...more,
  } as unknown as WorldSettings);

describe('the settings of the world', () => {
  it('have links certified by the sandbox, also where booted servers have an authority of their own', () => {
    const authority = 'http://127.0.0.1:3900/acme/directory';
    for (const more of [{}, { vpsImage: '/nowhere/image' }]) {
      const given = settingsOf(more);
      expect(given['LINKS_ACME_DIRECTORY_URL'] ?? given['ACME_DIRECTORY_URL']).toBe(authority);
    }
    expect(settingsOf({ vpsImage: '/nowhere/image' })).toMatchObject({ ACME_DIRECTORY_URL });
  });
});
