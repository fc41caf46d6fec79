/** The product's settings in which the outside is the sandbox: addresses, accounts and quick times. */
import { sandboxSettings } from '../../settings/sandbox.ts';

export { vendorAccounts } from '../../settings/sandbox.ts';

export interface WorldAddresses {
  /** `http://127.0.0.1:3900`. */
  sandbox: string;
  /** `127.0.0.1:3953`. */
  dns: string;
  /** `socks5://127.0.0.1:3980`. */
  socks: string;
  daySeconds: number;
}

/** Two ordinary settings, resolver and proxy, and the vendors' base addresses replace the whole outside. */
export const worldSettings = ({ sandbox, dns, socks, daySeconds }: WorldAddresses) => ({
  OUTREACH_ENV: 'development',
  ...sandboxSettings({ url: sandbox, dns, proxy: socks, daySeconds }),
});
