/** The page of the reference: Scalar, served from here alone. Nothing on it asks another origin. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Of its package nothing but the bundle for browsers is used. */
const PACKAGE = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  '..',
);

export const readBundle = (): Promise<Buffer> => readFile(join(PACKAGE, 'dist/js/standalone.js'));

/** In the path of the bundle, which browsers keep for good. */
export async function bundleVersion(): Promise<string> {
  const text = await readFile(join(PACKAGE, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Scalar writes its styles into the page; scripts come from files alone. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const referencePage = (version: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Outreach API</title>
    <link rel="icon" href="/docs/icon.svg">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. <a href="/docs/guides/api.md">The guide</a> and
      <a href="/openapi.json">the document</a> of the API do not.</noscript>
    <script src="/docs/scalar-${version}.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#14532d"/>
<path d="M6 10h20v13H6zM6 10l10 8 10-8" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>
</svg>
`;

/** Of the languages that Scalar writes code in, curl and Python are left. TypeScript is ours. */
const HIDDEN_CLIENTS = (
  'c clojure csharp dart fsharp go http java js kotlin node objc ocaml php powershell r ruby rust swift ' +
  'shell/httpie shell/wget python/python3 python/httpx_sync python/httpx_async'
).split(' ');

/** What leads elsewhere is off: fonts, telemetry, a proxy, an assistant, a hosted client. */
const SETTINGS = {
  url: '/docs/reference.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The document for programs is /openapi.json; the page's own has the guide and code in it.
  documentDownloadType: 'none',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: HIDDEN_CLIENTS,
  hideModels: true,
  // Its list of languages would lack TypeScript.
  customCss: '.scalar-reference-intro-clients { display: none }',
};

/** A file of its own, because the content security policy forbids inline scripts. */
export const START = `// The sections of the guide are listed from the start.
if (location.hash === '') history.replaceState(null, '', '#description/introduction');
Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS, null, 2)});
// Who chose TypeScript once sees it at every operation, as with the other languages.
document.addEventListener('click', ({ target }) => {
  const option = target.closest('[role=option]');
  if (option?.textContent.trim() !== 'TypeScript') return;
  window.dataDumpWorkspace?.().update('x-scalar-default-client', 'custom/TypeScript');
});
`;
