/** The API's document and its reader: `/openapi.json`, and Swagger UI served from here alone. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import { z } from 'zod';
import { createDocument, type DocumentedWebhook, type OpenApiDocument } from '../http/openapi.ts';
import { route, type Route } from '../http/route.ts';

/** `routes` are all the others; the document is made when it is first asked for. */
export function openApiRoute(
  routes: readonly Route[],
  webhooks: readonly DocumentedWebhook[] = [],
): Route {
  let document: OpenApiDocument | undefined;
  const self: Route = route({
    method: 'get',
    path: '/openapi.json',
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

/** The package carries no types; its folder is all that is needed of it. */
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

/** In a file of its own, because the content security policy admits no inline scripts. */
const START = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null,
});
`;

/** `/docs`, without any address outside this server. */
export function docsRouter(): Router {
  const router = Router();
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  // Missing files fall through to the 404 in the envelope.
  router.use('/docs', express.static(SWAGGER_UI, { index: false, redirect: false }));
  return router;
}
