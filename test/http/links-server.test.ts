/** Links on clients' own names: which certificate a connection gets, what is served there, and what is not. Choice 131. */
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteChallenge } from '../../src/db/domains/tracking-certificates.ts';
import { deleteTrackingDomain } from '../../src/db/domains/tracking-domains.ts';
import type { CampaignUser } from '../support/campaigns/campaign-users.ts';
import { startLinkWorld, type LinkWorld, type NewName } from '../support/campaigns/link-world.ts';

let world: LinkWorld;
let ann: CampaignUser;
beforeAll(async () => {
  world = await startLinkWorld();
  ann = await world.users.newUser();
});
afterAll(() => world?.close());

/** The server ends a handshake for a name that it has no certificate for. */
const REFUSED = /ECONNRESET|socket hang up|disconnected|alert/;

const addName = (name: Partial<NewName> = {}) => world.addName({ user: ann, ...name });
const ask: LinkWorld['ask'] = (asked) => world.ask(asked);
const byTls = (name: string, path: string) => world.byTls(name, path);

describe('the https port', () => {
  it('serves the links of messages with the certificate of the name', async () => {
    const { name } = await addName();
    const page = await byTls(name, '/u/preview');
    expect(page.status).toBe(200);
    expect(page.text).toContain('belongs to a preview');
    const { recipientLinks } = world.users.api.context;
    const url = recipientLinks.at(`https://${name}`).clickUrl(7, 'https://shop.example/a');
    expect(url.startsWith(`https://${name}/t/`)).toBe(true);
    const click = await byTls(name, new URL(url).pathname);
    expect([click.status, click.headers.location]).toEqual([302, 'https://shop.example/a']);
  });

  it('takes no link that was made for another name, or for the installation’s own', async () => {
    const [{ name }, other] = [await addName(), await addName()];
    const { recipientLinks } = world.users.api.context;
    for (const origin of [`https://${other.name}`, undefined]) {
      const url = recipientLinks.at(origin).clickUrl(7, 'https://phishing.example/a');
      expect((await byTls(name, new URL(url).pathname)).status).toBe(404);
    }
    const url = recipientLinks.at(`https://${name}`).clickUrl(7, 'https://shop.example/a');
    expect((await fetch(world.users.api.url + new URL(url).pathname)).status).toBe(404);
  });

  it('tells the name of a session of TLS 1.2 that came before', async () => {
    const { name } = await addName();
    const { port } = world.servers.https.address() as AddressInfo;
    const agent = new Agent({
      host: '127.0.0.1',
      servername: name,
      maxVersion: 'TLSv1.2',
      ca: world.caPem,
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
    const { db } = world.users.api.context;
    await db.transaction().execute((trx) => deleteTrackingDomain(trx, id));
    expect((await byTls(name, '/u/preview')).status).toBe(200);
  });

  it('is of the account that has proven the name last', async () => {
    const bob = await world.users.newUser();
    const { name } = await addName({ at: new Date(Date.now() - 60_000) });
    const later = await addName({ user: bob, name });
    const served = await new Promise<string>((resolve, reject) => {
      const { port } = world.servers.https.address() as AddressInfo;
      const request = httpsRequest({
        host: '127.0.0.1',
        port,
        servername: name,
        ca: world.caPem,
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
    await noteChallenge(world.users.api.context.db, id, {
      token,
      keyAuthorization: `${token}.print`,
    });
    const path = `/.well-known/acme-challenge/${token}`;
    const answer = await ask({ host: name, path });
    expect([answer.status, answer.text]).toEqual([200, `${token}.print`]);
    expect((await ask({ host: other.name, path })).status).toBe(404);
    const unknown = '/.well-known/acme-challenge/another-token-of-it';
    expect((await ask({ host: name, path: unknown })).status).toBe(404);
  });

  it('proves to who has its keys that a name below its own host leads here, and tells nobody else', async () => {
    const { recipientLinks } = world.users.api.context;
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
