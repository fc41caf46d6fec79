/** The ports for links on clients' own names, beside an API whose users have such names. Choice 131. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteCertificate, noteOrder } from '../../../src/db/domains/tracking-certificates.ts';
import { noteVerdict } from '../../../src/db/domains/tracking-domains.ts';
import { createLinkServers } from '../../../src/http/links/links-server.ts';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { trackingLinks } from '../../../src/services/domains/tracking-links.ts';
import { startCampaignUsers, type CampaignUser, type CampaignUsers } from './campaign-users.ts';

export interface LinkAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Asked {
  /** Of the TLS connection; without it the name is asked by plain HTTP. */
  sni?: string;
  host: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface NewName {
  user: CampaignUser;
  name?: string;
  /** When it was proven. */
  at?: Date;
  /** How long its certificate lasts. */
  days?: number;
}

export interface LinkWorld {
  users: CampaignUsers;
  servers: { http: Server; https: NetServer };
  caPem: string;
  /** A name with a certificate. */
  addName(name: NewName): Promise<{ id: number; name: string; certificatePem: string }>;
  ask(asked: Asked): Promise<LinkAnswer>;
  /** By TLS at the name. */
  byTls(name: string, path: string, more?: Partial<Asked>): Promise<LinkAnswer>;
  close(): Promise<void>;
}

export async function startLinkWorld(): Promise<LinkWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  const users = await startCampaignUsers();
  const authority = await openCertificateAuthority(folder);
  const caPem = readFileSync(authority.caFile, 'utf8');
  const { context, app } = users.api;
  const servers = createLinkServers([{ ...trackingLinks(context), app }]);
  for (const server of [servers.http, servers.https]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  let names = 0;
  const ask: LinkWorld['ask'] = (asked) => {
    const server = asked.sni === undefined ? servers.http : servers.https;
    return answerOf((server.address() as AddressInfo).port, asked, caPem);
  };
  return {
    users,
    servers,
    caPem,
    async addName({ user, name, at = new Date(), days = 90 }) {
      const own = name ?? `links.served${(names += 1)}.example`;
      const { id } = await user.ok('POST', '/v1/tracking-domains', { name: own });
      const { certificatePem, privateKeyPem } = await authority.issue([own]);
      await noteOrder(context, id, { url: 'https://ca.test/order/1', privateKeyPem });
      const expiresAt = new Date(users.clock.at.getTime() + days * 86_400_000);
      await noteCertificate(context.db, id, { pem: certificatePem, expiresAt });
      const verdict = { status: 'active', trouble: null, at, isProven: true } as const;
      await context.db.transaction().execute((trx) => noteVerdict(trx, id, verdict));
      return { id, name: own, certificatePem };
    },
    ask,
    byTls: (name, path, more) => ask({ sni: name, host: name, path, ...more }),
    async close() {
      servers.http.close();
      servers.https.close();
      await users.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function answerOf(port: number, asked: Asked, ca: string): Promise<LinkAnswer> {
  const { sni, host, path, method = 'GET', body } = asked;
  const headers = { ...asked.headers, host };
  const options = { host: '127.0.0.1', port, path, method, headers, agent: false };
  return new Promise((resolve, reject) => {
    const request =
      sni === undefined
        ? httpRequest(options)
        : httpsRequest({ ...options, servername: sni, ca, minVersion: 'TLSv1.2' });
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    request.end(body);
  });
}
