/** Codes and tokens that the OAuth stand-ins have given, and the mail servers that take them. */
import { randomBytes } from 'node:crypto';
import type { Store } from '../store.ts';
import type { TokenVendor } from '../servers/machine.ts';

/** What an application was allowed, by whom. */
export interface Allowed {
  address: string;
  scopes: string[];
}

/** A code that was sent with a browser, for one exchange. */
export interface Code extends Allowed {
  redirectUri: string;
  codeChallenge: string;
  nonce: string;
  hasRefreshToken: boolean;
  expiresAt: number;
}

interface RefreshToken extends Allowed {
  token: string;
  isRevoked: boolean;
}

interface AccessToken extends Allowed {
  token: string;
  expiresAt: number;
}

const CODE_MS = 600_000;
/** As both vendors have it; a test may want a shorter one. */
const ACCESS_SECONDS = 3_600;

/** What a mail server wants to be allowed. */
export const MAIL_SCOPES: Record<TokenVendor, Record<'smtp' | 'imap', string>> = {
  google: { smtp: 'https://mail.google.com/', imap: 'https://mail.google.com/' },
  microsoft: {
    smtp: 'https://outlook.office.com/SMTP.Send',
    imap: 'https://outlook.office.com/IMAP.AccessAsUser.All',
  },
};

export type Tokens = ReturnType<typeof openTokens>;

export function openTokens(store: Store, vendor: TokenVendor) {
  const [codes, refreshes, accesses, consents, settings] = [
    `${vendor}:codes`,
    `${vendor}:refresh-tokens`,
    `${vendor}:access-tokens`,
    `${vendor}:consents`,
    `${vendor}:settings`,
  ];
  const secret = (prefix: string) => `${prefix}${randomBytes(40).toString('base64url')}`;
  const prefixes =
    vendor === 'google'
      ? { code: '4/0A', refresh: '1//0', access: 'ya29.' }
      : { code: 'M.C5', refresh: '0.A', access: 'EwB' };
  const lifetime = (): number =>
    store.get<{ seconds: number }>(settings, 'lifetime')?.seconds ?? ACCESS_SECONDS;
  return {
    putCode(code: Omit<Code, 'expiresAt'>): string {
      const text = secret(prefixes.code);
      store.put(codes, text, { ...code, expiresAt: Date.now() + CODE_MS });
      return text;
    },
    /** Whatever becomes of the exchange, the code is used up. */
    takeCode(text: string): Code | undefined {
      const code = store.get<Code>(codes, text);
      store.delete(codes, text);
      return code && code.expiresAt > Date.now() ? code : undefined;
    },
    /** Whether this account has allowed the application something before. */
    noteConsent(address: string): boolean {
      const isFirst = store.get(consents, address) === undefined;
      store.put(consents, address, { address });
      return isFirst;
    },
    giveRefreshToken({ address, scopes }: Allowed): string {
      const token = secret(prefixes.refresh);
      store.put(refreshes, token, { token, address, scopes, isRevoked: false });
      return token;
    },
    /** Whether it looks like one. */
    isRefreshToken: (text: string): boolean => text.startsWith(prefixes.refresh),
    allowedBy(refreshToken: string): Allowed | undefined {
      const found = store.get<RefreshToken>(refreshes, refreshToken);
      return found && !found.isRevoked ? found : undefined;
    },
    giveAccessToken({ address, scopes }: Allowed): { token: string; seconds: number } {
      const [token, seconds] = [secret(prefixes.access), lifetime()];
      store.put(accesses, token, {
        token,
        address,
        scopes,
        expiresAt: Date.now() + seconds * 1_000,
      });
      return { token, seconds };
    },
    /** When a mail server ends a session of this token; undefined where it does not take it. */
    opens(token: string, address: string, protocol: 'smtp' | 'imap'): number | undefined {
      const found = store.get<AccessToken>(accesses, token);
      if (!found || found.expiresAt <= Date.now()) return undefined;
      const isAllowed = found.scopes.includes(MAIL_SCOPES[vendor][protocol]);
      return isAllowed && found.address === address.toLowerCase() ? found.expiresAt : undefined;
    },
    /** The owner takes all consents back: tokens of both kinds end. */
    revoke(address: string): void {
      store.delete(consents, address);
      for (const found of store.list<RefreshToken>(refreshes)) {
        if (found.address !== address) continue;
        store.put(refreshes, found.token, { ...found, isRevoked: true });
      }
      for (const found of store.list<AccessToken>(accesses)) {
        if (found.address === address) store.delete(accesses, found.token);
      }
    },
    /** Accounts whose consent holds. */
    allowing(): string[] {
      const valid = store.list<RefreshToken>(refreshes).filter(({ isRevoked }) => !isRevoked);
      return [...new Set(valid.map(({ address }) => address))].toSorted();
    },
    setLifetime: (seconds: number) => store.put(settings, 'lifetime', { seconds }),
    /** Access tokens that were given, by account. */
    counts(): Record<string, number> {
      const found: Record<string, number> = {};
      for (const { address } of store.list<AccessToken>(accesses)) {
        found[address] = (found[address] ?? 0) + 1;
      }
      return found;
    },
  };
}
