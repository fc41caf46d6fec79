/** "Test Request" of the reference page, as somebody with a key uses it. */
import type { Page, Response } from 'playwright-core';

export interface Tried {
  /** Address of the API, whose page is open in the browser. */
  api: string;
  /** Of the operation, which reads: others have fields to fill. */
  path: string;
  key: string;
}

/** Types the key, sends the request of the operation that the page shows, and gives the answer. */
export async function tryOperation(page: Page, { api, path, key }: Tried): Promise<Response> {
  const named = `Test Request (get ${path})`;
  await page.getByRole('button', { name: named, exact: true }).click();
  await page.getByPlaceholder('Token').locator('visible=true').first().fill(key);
  const answered = page.waitForResponse((answer) => answer.url() === `${api}${path}`);
  await page.getByRole('button', { name: /^Send/ }).locator('visible=true').first().click();
  return answered;
}
