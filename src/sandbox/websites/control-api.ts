/** `/_sandbox/sites`: business websites in the control API. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import { checked, ControlRefusal } from '../control-api.ts';
import { hostName, pageKey, type Page, type Site, type SiteRecords } from './site-records.ts';
import { SITE_TRUTHS } from './generated/world.ts';

const headerValue = z.union([z.string(), z.array(z.string())]);
const page = z
  .strictObject({
    body: z.string().optional(),
    bodyBase64: z
      .string()
      .regex(/^[A-Za-z0-9+/\s]*={0,2}\s*$/, 'must be base64')
      .optional(),
    contentType: z.string().nullable().optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), headerValue).optional(),
    delayMs: z.int().min(0).max(600_000).optional(),
  })
  .refine((value) => value.body === undefined || value.bodyBase64 === undefined, {
    message: 'has body or bodyBase64, not both',
  })
  .refine(hasSendableHeaders, { message: 'a header cannot be sent as it is' });
const siteBody = z.strictObject({
  pages: z.record(z.string(), page),
  down: z.boolean().optional(),
});
const sitesBody = z.strictObject({ sites: z.record(z.string(), siteBody) });

/** `changed` is called for each host, so that its address starts or stops answering. */
export function siteControl(siteRecords: SiteRecords, changed: (host: string) => void): Router {
  const control = Router();
  const save = (sites: Site[]): void => {
    siteRecords.save(sites);
    for (const { host } of sites) changed(host);
  };
  const forget = (hosts: string[]): void => {
    siteRecords.forget(hosts);
    hosts.forEach(changed);
  };
  control.get('/sites', (_request, response) => {
    response.json({
      sites: siteRecords.put().map((site) => shown(siteRecords, site)),
      generated: siteRecords.generated().map((site) => shown(siteRecords, site)),
    });
  });
  control.put('/sites', (request, response) => {
    const { sites } = checked(sitesBody, request.body);
    const all = Object.entries(sites).map(([host, site]) => toSite(host, site));
    save(all);
    response.json({ sites: all.map((site) => shown(siteRecords, site)) });
  });
  control.delete('/sites', (_request, response) => {
    forget(siteRecords.put().map(({ host }) => host));
    response.json({ sites: [] });
  });
  control.get('/sites/truth', (_request, response) => {
    response.json({ sites: SITE_TRUTHS });
  });
  control.get('/sites/:host', (request, response) => {
    const site = siteRecords.site(request.params.host.toLowerCase());
    if (site === undefined) throw new ControlRefusal(404, `no site ${request.params.host}`);
    response.json({ ...shown(siteRecords, site), pages: site.pages });
  });
  control.put('/sites/:host', (request, response) => {
    const site = toSite(request.params.host, checked(siteBody, request.body));
    save([site]);
    response.json(shown(siteRecords, site));
  });
  control.delete('/sites/:host', (request, response) => {
    forget([request.params.host.toLowerCase()]);
    response.json({ deleted: true });
  });
  return control;
}

function toSite(text: string, { pages, down }: z.infer<typeof siteBody>): Site {
  const host = hostName(text);
  if (host === undefined) throw new ControlRefusal(400, `${text} is not a host name`);
  const byKey = Object.entries(pages).map(([path, each]) => [pageKey(path), each] as const);
  return { host, pages: Object.fromEntries(byKey), ...(down === true && { down }) };
}

const shown = (siteRecords: SiteRecords, site: Site) => ({
  host: site.host,
  address: siteRecords.addressOf(site.host),
  paths: Object.keys(site.pages),
  down: site.down ?? false,
});

function hasSendableHeaders({ headers = {}, contentType }: Page): boolean {
  const all = { ...headers, ...(contentType != null && { 'Content-Type': contentType }) };
  try {
    for (const [name, value] of Object.entries(all)) {
      validateHeaderName(name);
      for (const each of [value].flat()) validateHeaderValue(name, each);
    }
    return true;
  } catch {
    return false;
  }
}
