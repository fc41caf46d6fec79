/** Answers outside the JSON envelope: HTML pages, pictures, redirects. */
import type { Response } from 'express';

/** What a handler returns instead of data; made by `htmlPage`, `picture` and `redirect`. */
export class Page {
  readonly status: 200 | 302 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;

  constructor(status: Page['status'], headers: Page['headers'], body: Page['body']) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** A page that works without scripts, pictures and colours. `main` MUST be safe HTML. */
export const htmlPage = (
  status: 200 | 404,
  title: string,
  main: string,
  { language, isRightToLeft } = { language: 'en', isRightToLeft: false },
): Page =>
  new Page(
    status,
    { 'Content-Type': 'text/html; charset=utf-8', 'X-Robots-Tag': 'noindex' },
    `<!doctype html>
<html lang="${language}"${isRightToLeft ? ' dir="rtl"' : ''}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${main}
    </main>
  </body>
</html>
`,
  );

/** A transparent GIF of one pixel, which other origins (mail programs) may embed. */
export const picture = (): Page =>
  new Page(
    200,
    { 'Content-Type': 'image/gif', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    PIXEL,
  );

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** `location` MUST be an address that we made or signed ourselves, or that a client of ours has named. */
export const redirect = (location: string): Page =>
  new Page(302, { Location: location, 'X-Robots-Tag': 'noindex' }, '');

export function sendPage(response: Response, { status, headers, body }: Page): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
