/** The registrar and the VPS vendor that a case of the matrices meets: each is the default of an installation. */
export const VENDOR_PAIRS = [
  { registrar: 'namecom', vps: 'hetzner' },
  // Server names are not unique there, and a repeated purchase has no key.
  { registrar: 'porkbun', vps: 'vultr' },
] as const;
export type VendorPair = (typeof VENDOR_PAIRS)[number];

/** The product's settings for these vendors. */
export const defaultsOf = ({ registrar, vps }: VendorPair) => ({
  DEFAULT_REGISTRAR: registrar,
  DEFAULT_VPS: vps,
});
