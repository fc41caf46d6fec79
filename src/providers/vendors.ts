/** Every port's registry in one place: config reads the settings of each from the environment. */
import { adLibraries } from './ad-libraries/index.ts';
import { answerJudges } from './answer-judges/index.ts';
import { contactFinders } from './contact-finders/index.ts';
import { emailVerifiers } from './email-verifiers/index.ts';
import { mailboxOauth } from './mailbox-oauth/index.ts';
import { mapsProviders } from './maps/index.ts';
import { payments } from './payments/index.ts';
import { registrars } from './registrars/index.ts';
import type { Vendor, VendorState } from './vendor.ts';
import { vpsProviders } from './vps/index.ts';

export const vendors = {
  registrars,
  vps: vpsProviders,
  payments,
  adLibraries,
  contactFinders,
  mapsProviders,
  emailVerifiers,
  answerJudges,
  mailboxOauth,
} as const;

type PortOf<V> = V extends Vendor<string, infer Port> ? Port : never;

/** Per port and vendor: off or ready to create. (Incomplete ones stop the start-up.) */
export type VendorStates = {
  [P in keyof typeof vendors]: {
    [N in keyof (typeof vendors)[P]]: VendorState<PortOf<(typeof vendors)[P][N]>>;
  };
};
