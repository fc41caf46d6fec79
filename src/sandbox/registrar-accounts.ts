/** The settings of the product's accounts at the registrars of the world. */
import { NAMECOM_TOKEN, NAMECOM_USERNAME } from './namecom/wire.ts';
import { PORKBUN_API_KEY, PORKBUN_SECRET_API_KEY } from './porkbun/wire.ts';

/** Environment variables for all registrars at the sandbox under this address. */
export const registrarAccounts = (sandboxUrl: string): Record<string, string> => ({
  NAMECOM_USERNAME,
  NAMECOM_TOKEN,
  NAMECOM_URL: `${sandboxUrl}/namecom/core/v1`,
  PORKBUN_API_KEY,
  PORKBUN_SECRET_API_KEY,
  PORKBUN_BASE_URL: `${sandboxUrl}/porkbun/api/json/v3`,
});
