/**
 * The OpenAPI document and its viewer: `/openapi.json`, and the page of the reference, served from this server only.
 * Beside it guides, and `/llms.txt`, which leads to all of them.
 */
import { Router } from 'express';
import { z } from 'zod';
import { readGuide } from '../http/guides/guides.ts';
import { llmsText } from '../http/guides/llms-text.ts';
import { createDocument, type DocumentedWebhook, type OpenApiDocument } from '../http/openapi.ts';
import { Page } from '../http/page.ts';
import { serveCompressed } from '../http/reference/compressed.ts';
import { referenceDocument } from '../http/reference/document.ts';
import {
  bundleVersion,
  CONTENT_SECURITY_POLICY,
  ICON,
  readBundle,
  referencePage,
  START,
} from '../http/reference/page.ts';
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

/** `/docs`, which loads nothing from other servers, and the guides below it. `document` is asked once. */
export function docsRouter(document: () => OpenApiDocument): Router {
  const router = Router();
  router.get('/docs', async (_request, response) => {
    response.type('html').set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.send(referencePage(await bundleVersion()));
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  router.get('/docs/icon.svg', (_request, response) => {
    response.type('svg').send(ICON);
  });
  const json = { type: 'json', cacheControl: 'no-cache' };
  const make = async () => JSON.stringify(referenceDocument(document()));
  router.get('/docs/reference.json', serveCompressed({ ...json, make }));
  const script = { type: 'js', cacheControl: 'public, max-age=31536000, immutable' };
  const bundle = serveCompressed({ ...script, make: readBundle });
  router.get('/docs/scalar-:version.js', async (request, response, next) =>
    request.params.version === (await bundleVersion()) ? bundle(request, response, next) : next(),
  );
  router.get('/docs/guides/:name.md', ({ params }, response, next) => {
    const text = readGuide(params.name);
    if (text === undefined) return next();
    response.type('text/markdown').send(text);
  });
  return router;
}
