/** Logins at the hosts, so that tests can check from outside that credentials work. */
import type { Store } from '../store.ts';

export interface Login {
  id: number;
  /** ISO 8601 UTC. */
  at: string;
  protocol: 'smtp' | 'imap';
  /** The mail host's name and address. */
  host: string | null;
  ipv4: string;
  user: string;
  ok: boolean;
}

export interface LoginRecords {
  note(login: Omit<Login, 'id' | 'at'>): void;
  list(): Login[];
}

const LOGINS = 'mail-logins';
/** Older ones are dropped: a mail client logs in every few minutes. */
const MAX_LOGINS = 1_000;

export function createLoginRecords(store: Store): LoginRecords {
  return {
    note(login) {
      const id = store.nextId(LOGINS);
      store.put(LOGINS, String(id), { id, at: new Date().toISOString(), ...login });
      if (id > MAX_LOGINS) store.delete(LOGINS, String(id - MAX_LOGINS));
    },
    list: () => store.list<Login>(LOGINS),
  };
}
