/** The reference page in a real browser: what it shows, whom it asks, and a request that is tried out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAGS } from '../../src/http/tags.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { openBrowser, whyNoBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { tryOperation } from '../support/browser/try-operation.ts';

const missing = whyNoBrowser();

describe.skipIf(missing)(`/docs in Chromium${missing ? ` (${missing})` : ''}`, () => {
  const { api } = describeApi();
  let browser: TestBrowser;
  let key: string;

  beforeAll(async () => {
    const token = await api.jwt();
    const made = await api.call('POST', '/api/keys', { token, body: { name: 'reference' } });
    key = made.body.data.key as string;
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** Loads it anew, at a place. */
  async function open(place = ''): Promise<TestBrowser['page']> {
    await browser.page.goto('about:blank');
    await browser.page.goto(`${api.url}/docs${place}`);
    return browser.page;
  }

  it('shows the guide first, with its sections and its code', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Authentication', exact: true }).first().waitFor();
    for (const title of ['Errors', 'Idempotency', 'Webhooks', 'Test mode']) {
      const shown = await page.getByText(title, { exact: true }).count();
      expect(shown, `shows ${title}`).toBeGreaterThan(1);
    }
    await page.getByText('def verified_event').scrollIntoViewIfNeeded();
    expect(await page.getByText('import { verifyWebhook }').count()).toBe(1);
  });

  it('lists every area behind the guide, where /llms.txt says', async () => {
    const { page } = browser;
    const { body } = await api.call('GET', '/llms.txt');
    const places = [...String(body).matchAll(/\(\/docs#(tag\/[^)]+)\)/g)].map(([, to]) => to!);
    expect(places).toHaveLength(Object.keys(TAGS).length - 1);
    for (const place of places) await page.locator(`[id$="/${place}"]`).first().waitFor();
  });

  it('shows an operation with code in curl, TypeScript and Python, as it was chosen before', async () => {
    const page = await open('#tag/clusters/POST/v1/clusters/create');
    await page.getByRole('heading', { name: 'Buys a domain and turns' }).waitFor();
    const picker = page.getByTestId('client-picker').locator('visible=true').first();
    await page.getByText(`curl ${api.url}/v1/clusters/create \\`).waitFor();
    await picker.click();
    await page.getByRole('option', { name: 'Requests' }).click();
    await page.getByText('requests.post(').first().waitFor();
    await picker.click();
    await page.getByRole('option', { name: 'TypeScript' }).click();
    await page.getByText('outreach.clusters.create({').waitFor();
    await page.getByText('Reads a cluster and the').first().click();
    const other = page.getByText('outreach.clusters.read({');
    await other.waitFor();
    expect(await other.count()).toBe(1);
  });

  it('tries a request with a key, against the API that serves it', async () => {
    const page = await open('#tag/wallet/GET/wallet');
    await page.getByRole('heading', { name: 'Reads the wallet' }).waitFor();
    const answer = await tryOperation(page, { api: api.url, path: '/wallet', key });
    expect(answer.status()).toBe(200);
    expect(answer.request().headers()['authorization']).toBe(`Bearer ${key}`);
    expect(await answer.json()).toMatchObject({ success: true, data: { balanceCents: 0 } });
    await page.getByText('200 OK').waitFor();
    await page.getByText('"balanceCents"').locator('visible=true').first().waitFor();
  });

  it('keeps no key when it is left', async () => {
    const { page } = browser;
    await page.goto(`${api.url}/docs/icon.svg`);
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage })',
    );
    expect(kept).not.toContain(key);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('asked nobody else in all of this, and complained of nothing', () => {
    expect(browser.asked.length).toBeGreaterThan(10);
    const others = browser.asked.filter((url) => !url.startsWith(`${api.url}/`));
    expect(others.filter((url) => url !== 'about:blank')).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
