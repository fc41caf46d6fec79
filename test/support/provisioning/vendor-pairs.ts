/**
 * The registrar and the VPS vendor of a case in the matrices: each pair is an installation's default.
 */
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
