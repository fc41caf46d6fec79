/** Step: from a JWT, as the web application would hold one, to an API key. */
import { mintJwt } from '../tokens.ts';
import { api } from './client.ts';
import { check, createTour, type TourStep, type TourWorld } from './tour.ts';

export const createApiKey: TourStep = {
  title: 'Make an API key',
  async run(tour) {
    const token = await mintJwt(tour.world.jwtSecret);
    const body = { name: `tour of ${tour.domain}` };
    const made = await api<{ id: string; key: string }>(tour, 'POST', '/api/keys', { token, body });
    check(/^svc_[0-9a-f]{64}$/.test(made.key), 'a key of the form svc_ + 64 hex characters');
    tour.key = made;
    const account = await api<{ senderName: string | null }>(tour, 'GET', '/v1/account');
    check(account, 'the account to be readable with the new key');
    return `API key ${made.key.slice(0, 8)}… made with a JWT; the account answers to it`;
  },
};

/** A key that stays when the tour is over. */
export async function makeApiKey(world: TourWorld, name: string): Promise<{ key: string }> {
  const token = await mintJwt(world.jwtSecret);
  return api(createTour(world), 'POST', '/api/keys', { token, body: { name } });
}

/** Keys of finished tours would accumulate. */
export async function deleteTourKey(tour: Parameters<TourStep['run']>[0]): Promise<void> {
  if (!tour.key) return;
  const token = await mintJwt(tour.world.jwtSecret);
  await api(tour, 'DELETE', `/api/keys/${tour.key.id}`, { token });
}
