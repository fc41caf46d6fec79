/** The reference page of the world in a real browser: a request that is tried out, from the key to the answer. */
import { expect, test } from 'vitest';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { openBrowser, whyNoBrowser } from '../support/browser/browser.ts';
import { tryOperation } from '../support/browser/try-operation.ts';
import type { SharedWorld } from './shared-world.ts';

export function referencePageTests(world: () => SharedWorld): void {
  test('a request is tried out in the reference page, by the key of the world', async ({
    skip,
  }) => {
    const missing = whyNoBrowser();
    skip(missing !== undefined, missing);
    const { api, docs, apiKey: key } = world().file;
    const browser = await openBrowser();
    const { page, asked, complaints } = browser;
    try {
      await page.goto(`${docs}#tag/account/GET/v1/account`);
      const answer = await tryOperation(page, { api, path: '/v1/account', key });
      expect(answer.status()).toBe(200);
      const account = await createOutreach({ baseUrl: api, apiKey: key }).account.read();
      expect(await answer.json()).toMatchObject({ success: true, data: account });
      await page.getByText('200 OK').waitFor();
      await page.getByText(`"${account.userId}"`).locator('visible=true').first().waitFor();
      const others = asked.filter((url) => !url.startsWith(`${api}/`));
      expect({ others, complaints }).toEqual({ others: [], complaints: [] });
    } finally {
      await browser.close();
    }
  });
}
