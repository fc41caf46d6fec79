/** The rows of the flow matrix: which flow each runs, and how much of it `npm test` draws. */
import type { FlowKind } from '../../../src/domain/operations/flows.ts';
import { ONE_OF, ONE_OF_DEAR } from './matrix-scope.ts';

export const MATRIX_FLOWS = {
  'buy a domain': { kind: 'buyDomain', oneOf: ONE_OF },
  'renew a domain': { kind: 'renewDomain', oneOf: ONE_OF },
  'make a mailbox': { kind: 'createMailbox', oneOf: ONE_OF },
  'connect a mailbox': { kind: 'connectMailbox', oneOf: ONE_OF },
  'change a password': { kind: 'rotateCredentials', oneOf: ONE_OF },
  'delete a mailbox': { kind: 'deleteMailbox', oneOf: ONE_OF },
  'connect a mailbox by OAuth': { kind: 'connectMailbox', oneOf: ONE_OF },
  'delete a connected mailbox': { kind: 'deleteMailbox', oneOf: ONE_OF },
  // Each of their cases needs a cluster of its own.
  'change a login key': { kind: 'rotateServerKey', oneOf: ONE_OF_DEAR },
  'upgrade a host': { kind: 'upgradeServer', oneOf: ONE_OF_DEAR },
  'rebuild a host': { kind: 'rebuildServer', oneOf: ONE_OF_DEAR },
  'delete a cluster': { kind: 'destroyCluster', oneOf: ONE_OF_DEAR },
  'delete a cluster and its server': { kind: 'destroyCluster', oneOf: ONE_OF_DEAR },
} as const satisfies Record<string, { kind: FlowKind; oneOf: number }>;

export type MatrixFlow = keyof typeof MATRIX_FLOWS;

export const MATRIX_ROWS = Object.keys(MATRIX_FLOWS) as MatrixFlow[];
