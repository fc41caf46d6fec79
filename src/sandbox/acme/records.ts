/** The authority's records: accounts, orders and proofs, and what states follow from them (RFC 8555, 7.1.6). */
import type { JWK } from 'jose';
import { DAY_MS } from '../../domain/day.ts';
import type { Store } from '../store.ts';
import type { Problem } from './wire.ts';

const ACCOUNTS = 'acme:accounts';
const ORDERS = 'acme:orders';
const PROOFS = 'acme:authorizations';
const ORDER_MS = 7 * DAY_MS;
/** How long a proof is taken for other orders of its account, as with Let's Encrypt. */
const PROOF_MS = 30 * DAY_MS;

export interface Account {
  id: string;
  /** RFC 7638, of the public key; the accounts' key in the records. */
  thumbprint: string;
  jwk: JWK;
}

/** An authorization with its one challenge, http-01. */
export interface Proof {
  id: string;
  accountId: string;
  name: string;
  token: string;
  /** `processing`: the authority was told to look. */
  status: 'pending' | 'processing' | 'valid' | 'invalid';
  /** The account whose key the web server has to name. */
  thumbprint: string;
  fails?: boolean | undefined;
  error?: Problem | undefined;
  expiresAtMs: number;
}

export interface Order {
  id: string;
  accountId: string;
  name: string;
  proofId: string;
  expiresAtMs: number;
  /** The request for a certificate (base64url), once it was sent. */
  request?: { csr: string; fails: boolean } | undefined;
  certificatePem?: string | undefined;
  error?: Problem | undefined;
}

export type OrderStatus = 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';

export type AcmeRecords = ReturnType<typeof openAcmeRecords>;

export function openAcmeRecords(store: Store) {
  const orders = () => store.list<Order>(ORDERS);
  const proofs = () => store.list<Proof>(PROOFS);
  const saveOrder = (order: Order) => store.put(ORDERS, order.id, order);
  const saveProof = (proof: Proof) => store.put(PROOFS, proof.id, proof);
  const proof = (id: string) => store.get<Proof>(PROOFS, id);
  const statusOf = (order: Order): OrderStatus => {
    if (order.certificatePem !== undefined) return 'valid';
    if (order.error !== undefined) return 'invalid';
    if (order.request !== undefined) return 'processing';
    const found = proof(order.proofId);
    if (found === undefined || isOver(order) || isOver(found)) return 'invalid';
    if (found.status === 'processing') return 'pending';
    return found.status === 'valid' ? 'ready' : found.status;
  };
  const isOf = (account: Account, name: string) => (each: Order | Proof) =>
    each.accountId === account.id && each.name === name && !isOver(each);
  return {
    orders,
    proofs,
    statusOf,
    saveOrder,
    saveProof,
    proof,
    order: (id: string) => store.get<Order>(ORDERS, id),
    accounts: () => store.list<Account>(ACCOUNTS),
    account: (thumbprint: string) => store.get<Account>(ACCOUNTS, thumbprint),
    accountById: (id: string) => store.list<Account>(ACCOUNTS).find((each) => each.id === id),
    addAccount(thumbprint: string, jwk: JWK): Account {
      const account = { id: String(store.nextId(ACCOUNTS)), thumbprint, jwk };
      store.put(ACCOUNTS, thumbprint, account);
      return account;
    },
    /** One that is open already for the name, else a new one; with a proof that is good, or open. */
    openOrder(account: Account, name: string, token: string): Order {
      return store.batch(() => {
        const mine = isOf(account, name);
        const open = orders().find(
          (each) => mine(each) && ['pending', 'ready'].includes(statusOf(each)),
        );
        if (open !== undefined) return open;
        const proven =
          proofs().find((each) => mine(each) && each.status !== 'invalid') ??
          addProof(account, name, token);
        const order = {
          id: String(store.nextId(ORDERS)),
          accountId: account.id,
          name,
          proofId: proven.id,
          expiresAtMs: Date.now() + ORDER_MS,
        };
        saveOrder(order);
        return order;
      });
    },
    /** Proofs are forgotten, and orders that are not issued are over. */
    expireAll(): void {
      store.batch(() => {
        for (const each of proofs()) saveProof({ ...each, expiresAtMs: 0 });
        for (const each of orders()) saveOrder({ ...each, expiresAtMs: 0 });
      });
    },
  };

  function addProof({ id: accountId, thumbprint }: Account, name: string, token: string): Proof {
    const id = String(store.nextId(PROOFS));
    const expiresAtMs = Date.now() + PROOF_MS;
    const made: Proof = { id, accountId, thumbprint, name, token, status: 'pending', expiresAtMs };
    saveProof(made);
    return made;
  }
}

export const isOver = ({ expiresAtMs }: { expiresAtMs: number }): boolean =>
  expiresAtMs <= Date.now();
