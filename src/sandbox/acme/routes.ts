/** The authority's resources: accounts, orders, authorizations, challenges, certificates (RFC 8555, 7). */
import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { failsLater } from '../vendor-router.ts';
import { accountUrl, byAccount, byKey, malformed, type Desk, type Reply } from './jws.ts';
import { isOver, type Account, type Order, type Proof } from './records.ts';
import { requestedKey } from './requests.ts';
import { refuse } from './wire.ts';
import type { AcmeWork } from './work.ts';

/** What Let's Encrypt asks of whoever polls. */
const RETRY_AFTER = { 'retry-after': '3' };
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

export function accountRoutes(desk: Desk): Router {
  const { records } = desk;
  const router = Router();
  router.post(
    '/new-account',
    byKey(desk, ({ jwk, thumbprint, payload }) => {
      const known = records.account(thumbprint);
      const shown = (account: Account, status: number): Reply => ({
        status,
        headers: { location: accountUrl(desk, account.id) },
        body: { status: 'valid', contact: [] },
      });
      if (known !== undefined) return shown(known, 200);
      if (payload['onlyReturnExisting'] === true) {
        throw refuse(400, 'accountDoesNotExist', 'No account exists with the provided key');
      }
      if (payload['termsOfServiceAgreed'] !== true) {
        throw malformed('must agree to terms of service');
      }
      return shown(records.addAccount(thumbprint, jwk), 201);
    }),
  );
  return router;
}

export function orderRoutes(desk: Desk, work: AcmeWork): Router {
  const { records } = desk;
  const router = Router();
  const own = (account: Account, id: unknown): Order => {
    const order = records.order(String(id));
    if (order !== undefined && order.accountId === account.id) return order;
    throw refuse(404, 'malformed', 'No order for ID');
  };
  router.post(
    '/new-order',
    byAccount(desk, (account, _request, payload) => {
      const order = records.openOrder(account, nameIn(payload), newToken());
      return { ...shownOrder(desk, order), status: 201 };
    }),
  );
  router.post(
    '/order/:id',
    byAccount(desk, (account, { params }) => shownOrder(desk, own(account, params['id']))),
  );
  router.post(
    '/order/:id/finalize',
    byAccount(desk, async (account, request, payload) => {
      const order = own(account, request.params['id']);
      const status = records.statusOf(order);
      if (status !== 'ready') {
        const said = `Order's status ("${status}") is not acceptable for finalization`;
        throw refuse(403, 'orderNotReady', said);
      }
      const csr = typeof payload['csr'] === 'string' ? payload['csr'] : '';
      await requestedKey(csr, order.name, account);
      const asked = { ...order, request: { csr, fails: failsLater(request) } };
      records.saveOrder(asked);
      work.issue(asked);
      return shownOrder(desk, asked);
    }),
  );
  router.post(
    '/certificate/:id',
    byAccount(desk, (account, { params }) => {
      const { certificatePem } = own(account, params['id']);
      if (certificatePem === undefined) throw refuse(404, 'malformed', 'Certificate not found');
      const headers = { 'content-type': 'application/pem-certificate-chain' };
      return { status: 200, headers, body: certificatePem };
    }),
  );
  return router;
}

export function proofRoutes(desk: Desk, work: AcmeWork): Router {
  const { records } = desk;
  const router = Router();
  const own = (account: Account, id: unknown): Proof => {
    const proof = records.proof(String(id));
    if (proof === undefined || proof.accountId !== account.id) {
      throw refuse(404, 'malformed', 'No such authorization');
    }
    if (isOver(proof)) throw refuse(404, 'malformed', 'Expired authorization');
    return proof;
  };
  router.post(
    '/authorization/:id',
    byAccount(desk, (account, { params }) => {
      const proof = own(account, params['id']);
      const { name: value, status, expiresAtMs } = proof;
      return {
        status: 200,
        headers: status === 'processing' ? RETRY_AFTER : {},
        body: {
          identifier: { type: 'dns', value },
          status: status === 'processing' ? 'pending' : status,
          expires: new Date(expiresAtMs).toISOString(),
          challenges: [challengeOf(desk, proof)],
        },
      };
    }),
  );
  router.post(
    '/challenge/:id',
    byAccount(desk, (account, request) => {
      const proof = own(account, request.params['id']);
      const isAsked = (request.body as { payload: string }).payload !== '';
      if (!isAsked || proof.status !== 'pending') return challengeReply(desk, proof);
      const asked: Proof = { ...proof, status: 'processing', fails: failsLater(request) };
      records.saveProof(asked);
      work.look(asked);
      return challengeReply(desk, asked);
    }),
  );
  return router;
}

function shownOrder({ core, records }: Desk, order: Order): Reply {
  const at = (path: string) => `${core.baseUrl()}/acme/${path}`;
  const { id, name, error, expiresAtMs, proofId } = order;
  const status = records.statusOf(order);
  return {
    status: 200,
    headers: { location: at(`order/${id}`), ...(status === 'processing' && RETRY_AFTER) },
    body: {
      status,
      expires: new Date(expiresAtMs).toISOString(),
      identifiers: [{ type: 'dns', value: name }],
      authorizations: [at(`authorization/${proofId}`)],
      finalize: at(`order/${id}/finalize`),
      ...(status === 'valid' && { certificate: at(`certificate/${id}`) }),
      ...(error !== undefined && { error }),
    },
  };
}

const challengeReply = (desk: Desk, proof: Proof): Reply => ({
  status: 200,
  headers: {
    link: `<${desk.core.baseUrl()}/acme/authorization/${proof.id}>;rel="up"`,
    ...(proof.status === 'processing' && RETRY_AFTER),
  },
  body: challengeOf(desk, proof),
});

const challengeOf = ({ core }: Desk, { id, token, status, error }: Proof) => ({
  type: 'http-01',
  url: `${core.baseUrl()}/acme/challenge/${id}`,
  status,
  token,
  ...(error !== undefined && { error }),
});

/** At least 128 bits (RFC 8555, 8.3). */
const newToken = (): string => randomBytes(24).toString('base64url');

function nameIn({ identifiers }: Record<string, unknown>): string {
  const list = Array.isArray(identifiers) ? (identifiers as { type: string; value: string }[]) : [];
  const [first] = list;
  if (first === undefined || list.length > 1) throw malformed('the sandbox takes orders of a name');
  if (first.type === 'dns' && HOST_NAME.test(first.value)) return first.value;
  throw refuse(400, 'rejectedIdentifier', `Cannot issue for "${first.value}"`);
}
