/** Links on clients' own names: which certificate a connection gets, what is served there, and what is not. Choice 131. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  noteCertificate,
  noteChallenge,
  noteOrder,
} from '../../src/db/domains/tracking-certificates.ts';
import { deleteTrackingDomain, noteVerdict } from '../../src/db/domains/tracking-domains.ts';
import { createLinkServers } from '../../src/http/links/links-server.ts';
import {
  openCertificateAuthority,
  type CertificateAuthority,
} from '../../src/sandbox/certificate-authority.ts';
import { trackingLinks } from '../../src/services/domains/tracking-links.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

const folder = mkdtempSync(join(tmpdir(), 'links-'));
let users: CampaignUsers;
let ann: CampaignUser;
let authority: CertificateAuthority;
let servers: { http: Server; https: NetServer };
beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  authority = await openCertificateAuthority(folder);
  const { context, app } = users.api;
  servers = createLinkServers([{ ...trackingLinks(context), app }]);
  for (const server of [servers.http, servers.https]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
});
afterAll(async () => {
  servers?.http.close();
  servers?.https.close();
  await users?.close();
  rmSync(folder, { recursive: true });
});

/** The server ends a handshake for a name that it has no certificate for. */
const REFUSED = /ECONNRESET|socket hang up|disconnected|alert/;

let names = 0;
/** A name with a certificate; proven at `at`. */
async function addName({ user = ann, name = '', at = new Date(), days = 90 } = {}) {
  const own = name || `links.served${(names += 1)}.example`;
  const { id } = await user.ok('POST', '/v1/tracking-domains', { name: own });
  const { context } = users.api;
  const { certificatePem, privateKeyPem } = await authority.issue([own]);
  await noteOrder(context, id, { url: 'https://ca.test/order/1', privateKeyPem });
  const expiresAt = new Date(users.clock.at.getTime() + days * 86_400_000);
  await noteCertificate(context.db, id, { pem: certificatePem, expiresAt });
  await context.db
    .transaction()
    .execute((trx) =>
      noteVerdict(trx, id, { status: 'active', trouble: null, at, isProven: true }),
    );
  return { id, name: own, certificatePem };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Asked {
  /** Of the TLS connection; without it the name is asked by plain HTTP. */
  sni?: string;
  host: string;
  path: string;
  method?: string;
}

function ask({ sni, host, path, method = 'GET' }: Asked): Promise<Answer> {
  const server = sni === undefined ? servers.http : servers.https;
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, path, method, headers: { host }, agent: false };
  return new Promise((resolve, reject) => {
    const ca = readFileSync(authority.caFile, 'utf8');
    const request =
      sni === undefined
        ? httpRequest(options)
        : httpsRequest({ ...options, servername: sni, ca, minVersion: 'TLSv1.2' });
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += String(chunk)));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    request.end();
  });
}

const byTls = (name: string, path: string, method?: string) =>
  ask({ sni: name, host: name, path, ...(method !== undefined && { method }) });

describe('the https port', () => {
  it('serves the links of messages with the certificate of the name', async () => {
    const { name } = await addName();
    const page = await byTls(name, '/u/preview');
    expect(page.status).toBe(200);
    expect(page.text).toContain('belongs to a preview');
    const { recipientLinks } = users.api.context;
    const url = recipientLinks.at(`https://${name}`).clickUrl(7, 'https://shop.example/a');
    expect(url.startsWith(`https://${name}/t/`)).toBe(true);
    const click = await byTls(name, new URL(url).pathname);
    expect([click.status, click.headers.location]).toEqual([302, 'https://shop.example/a']);
  });

  it('takes no link that was made for another name, or for the installation’s own', async () => {
    const [{ name }, other] = [await addName(), await addName()];
    const { recipientLinks } = users.api.context;
    for (const origin of [`https://${other.name}`, undefined]) {
      const url = recipientLinks.at(origin).clickUrl(7, 'https://phishing.example/a');
      expect((await byTls(name, new URL(url).pathname)).status).toBe(404);
    }
    const url = recipientLinks.at(`https://${name}`).clickUrl(7, 'https://shop.example/a');
    expect((await fetch(users.api.url + new URL(url).pathname)).status).toBe(404);
  });

  it('tells the name of a session of TLS 1.2 that came before', async () => {
    const { name } = await addName();
    const { port } = servers.https.address() as AddressInfo;
    const agent = new Agent({
      host: '127.0.0.1',
      servername: name,
      maxVersion: 'TLSv1.2',
      ca: readFileSync(authority.caFile, 'utf8'),
      maxCachedSessions: 10,
    });
    const once = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { host: name, connection: 'close' };
        const request = httpsRequest({ agent, port, path: '/u/preview', headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode!));
        });
        request.once('error', reject);
        request.end();
      });
    expect([await once(), await once()]).toEqual([200, 200]);
  });

  it('serves nothing else of the API', async () => {
    const { name } = await addName();
    for (const path of ['/', '/v1/account', '/health', '/docs', '/u/a/b', '/openapi.json']) {
      expect([path, (await byTls(name, path)).status]).toEqual([path, 404]);
    }
  });

  it('refuses the connection for a name that is nobody’s, or whose certificate has ended', async () => {
    await expect(byTls('links.unknown.example', '/u/preview')).rejects.toThrow(REFUSED);
    const { name } = await addName({ days: -1 });
    await expect(byTls(name, '/u/preview')).rejects.toThrow(REFUSED);
  });

  it('serves no other name over the connection of one', async () => {
    const [one, other] = [await addName(), await addName()];
    const asked = { sni: one.name, host: other.name, path: '/u/preview' };
    expect((await ask(asked)).status).toBe(404);
  });

  it('serves the links of a name that was deleted until its certificate ends', async () => {
    const { id, name } = await addName();
    const { db } = users.api.context;
    await db.transaction().execute((trx) => deleteTrackingDomain(trx, id));
    expect((await byTls(name, '/u/preview')).status).toBe(200);
  });

  it('is of the account that has proven the name last', async () => {
    const bob = await users.newUser();
    const { name } = await addName({ at: new Date(Date.now() - 60_000) });
    const later = await addName({ user: bob, name });
    const served = await new Promise<string>((resolve, reject) => {
      const { port } = servers.https.address() as AddressInfo;
      const request = httpsRequest({
        host: '127.0.0.1',
        port,
        servername: name,
        ca: readFileSync(authority.caFile, 'utf8'),
        agent: false,
      });
      request.once('error', reject);
      request.once('socket', (socket) =>
        socket.once('secureConnect', () => {
          const peer = (socket as unknown as import('node:tls').TLSSocket).getPeerX509Certificate();
          resolve(peer!.toString());
          request.destroy();
        }),
      );
      request.end();
    });
    expect(later.certificatePem).toContain(served.trim());
  });
});

describe('the http port', () => {
  it('answers the authority at the name that it asks about, and at no other', async () => {
    const { id, name } = await addName();
    const other = await addName();
    const token = 'a-token-of-the-authority';
    await noteChallenge(users.api.context.db, id, { token, keyAuthorization: `${token}.print` });
    const path = `/.well-known/acme-challenge/${token}`;
    const answer = await ask({ host: name, path });
    expect([answer.status, answer.text]).toEqual([200, `${token}.print`]);
    expect((await ask({ host: other.name, path })).status).toBe(404);
    const unknown = '/.well-known/acme-challenge/another-token-of-it';
    expect((await ask({ host: name, path: unknown })).status).toBe(404);
  });

  it('proves to who has its keys that a name below its own host leads here, and tells nobody else', async () => {
    const { recipientLinks } = users.api.context;
    const name = 'a1b2.links.outreach.test';
    const tokenFor = (host: string) =>
      new URL(recipientLinks.at(`https://${host}`).openUrl(0)).pathname.slice('/t/'.length);
    const asked = (host: string, token: string) =>
      ask({ host, path: `/.well-known/acme-challenge/${token}` });
    const { status, text } = await asked(name, tokenFor(name));
    expect([status, recipientLinks.read(text)]).toEqual([200, { kind: 'open', sendId: 0 }]);
    const strange = await asked(name, 'a'.repeat(31));
    expect([strange.status, strange.text]).toEqual([404, 'Nothing is here\n']);
    expect((await asked(name, tokenFor('b2.links.outreach.test'))).status).toBe(404);
    // A link of a client's name stays one of that name alone.
    const { name: client } = await addName();
    expect((await asked(client, tokenFor(client))).status).toBe(404);
    const beside = 'links.outreach.test.evil.example';
    expect((await asked(beside, tokenFor(beside))).status).toBe(404);
  });

  it('leads links to https, and to no name that is not ours', async () => {
    const { name } = await addName();
    const moved = await ask({ host: `${name}:80`, path: '/u/preview' });
    expect([moved.status, moved.headers.location]).toEqual([308, `https://${name}/u/preview`]);
    expect((await ask({ host: 'evil.example', path: '/u/preview' })).status).toBe(404);
    expect((await ask({ host: name, path: '/v1/account' })).status).toBe(404);
  });
});
