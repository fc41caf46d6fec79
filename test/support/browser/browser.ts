/** A real browser for a test: Debian's Chromium without a window, and what its page asked and complained of. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { chromium, type Page } from 'playwright-core';

const BINARIES = ['chromium-headless-shell', 'chromium', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Why no browser can run here; undefined when one can. */
export const whyNoBrowser = (): string | undefined =>
  binary() === undefined
    ? 'chromium is missing: apt-get install chromium-headless-shell'
    : undefined;

const binary = (): string | undefined => BINARIES.find((path) => existsSync(path));

export interface TestBrowser {
  page: Page;
  /** Addresses of all that the page asked for, answered or not. */
  asked: string[];
  /** Errors of scripts and of the console, as words. */
  complaints: string[];
  close(): Promise<void>;
}

export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: binary()!,
    // Chromium's own sandbox does not start as root.
    chromiumSandbox: userInfo().uid !== 0,
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, asked, complaints, close: () => browser.close() };
}
