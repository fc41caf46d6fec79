/** Where the prose of Vultr's file says more than its operations. */
import type { Deviation } from './provider-spec.ts';

const PROSE =
  'The file\'s own introduction ("Response Codes"): every call may answer 429 and 500, and errors are ' +
  'JSON with an `error` attribute; the operations do not list them';

const CALLS = [
  '/paths/~1instances/get',
  '/paths/~1instances/post',
  '/paths/~1instances~1{instance-id}/get',
  '/paths/~1instances~1{instance-id}/delete',
  '/paths/~1instances~1{instance-id}~1ipv4~1reverse/post',
  '/paths/~1ssh-keys/get',
  '/paths/~1ssh-keys/post',
  '/paths/~1ssh-keys~1{ssh-key-id}/delete',
  '/paths/~1os/get',
];

const failure = {
  description: 'Error',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'status'],
        properties: { error: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
};

export const VULTR_DEVIATIONS: Deviation[] = CALLS.map((call) => ({
  at: `${call}/responses`,
  keywords: { 429: failure, 500: failure },
  reason: PROSE,
}));
