/**
 * The OpenAPI document and its viewer: `/openapi.json`, and Swagger UI served from this server only. Beside it
 * guides, and `/llms.txt`, which leads to all of them.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import { z } from 'zod';
import { readGuide } from '../http/guides/guides.ts';
import { llmsText } from '../http/guides/llms-text.ts';
import { createDocument, type DocumentedWebhook, type OpenApiDocument } from '../http/openapi.ts';
import { Page } from '../http/page.ts';
import { route, type Route } from '../http/route.ts';

/** `routes` are all other routes; the document is made at the first request. */
export function openApiRoute(
  routes: readonly Route[],
  webhooks: readonly DocumentedWebhook[] = [],
): Route {
  let document: OpenApiDocument | undefined;
  const self: Route = route({
    method: 'get',
    path: '/openapi.json',
    operationId: 'documentation.read',
    tag: 'Documentation',
    public: true,
    status: 200,
    envelope: 'custom',
    summary: 'This document',
    response: z.looseObject({ openapi: z.string() }),
    handler: () => ({ ...(document ??= createDocument([...routes, self], webhooks)) }),
  });
  return self;
}

/** `routes` are those whose areas it names. */
export function llmsRoute(routes: readonly Route[]): Route {
  let text: string | undefined;
  return route({
    method: 'get',
    path: '/llms.txt',
    operationId: 'documentation.readForModels',
    tag: 'Documentation',
    public: true,
    status: 200,
    contentType: 'text/plain',
    summary: 'For language models: what this is, and where to read on',
    response: z.string(),
    handler: () => new Page(200, { 'Content-Type': PLAIN }, (text ??= llmsText(routes))),
  });
}

const PLAIN = 'text/plain; charset=utf-8';

/** The package has no types; only its folder is needed. */
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Outreach API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** A file of its own, because the content security policy forbids inline scripts. */
const START = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null,
});
`;

/** `/docs`, which loads nothing from other servers, and the guides below it. */
export function docsRouter(): Router {
  const router = Router();
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  router.get('/docs/guides/:name.md', ({ params }, response, next) => {
    const text = readGuide(params.name);
    if (text === undefined) return next();
    response.type('text/markdown').send(text);
  });
  // Missing files fall through to the 404 in the envelope.
  router.use('/docs', express.static(SWAGGER_UI, { index: false, redirect: false }));
  return router;
}
