/** The four forms of a cluster, and what each costs. Spec: Limits. */
export const FORMS = {
  'new domain, new server': { buysDomain: true, rentsServer: true },
  'new domain, existing server': { buysDomain: true, rentsServer: false },
  'existing domain, new server': { buysDomain: false, rentsServer: true },
  'existing domain, existing server': { buysDomain: false, rentsServer: false },
} as const;
export type FormName = keyof typeof FORMS;

/** The spec's own numbers, not the product's constants. */
export const DOMAIN_CENTS = 1_600;
export const SERVER_CENTS = 2_500;
