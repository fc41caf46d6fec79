/** Step: from a JWT, as the web application would hold one, to an API key. */
import { mintJwt } from '../tokens.ts';
import { api } from './client.ts';
import { check, createTour, type TourStep, type TourWorld } from './tour.ts';

export const createApiKey: TourStep = {
  title: 'Make an API key',
  async run(tour) {
    const token = await mintJwt(tour.world.jwtSecret);
    const body = { name: `tour of ${tour.domain}` };
    const made = await api(tour, token).apiKeys.create({ body });
    check(
      /^svc_(test_)?[0-9a-f]{64}$/.test(made.key),
      'a key of the form svc_ + 64 hex characters',
    );
    tour.key = made;
    const account = await api(tour).account.read();
    check(account, 'the account to be readable with the new key');
    return `API key ${made.key.slice(0, 8)}… made with a JWT; the account answers to it`;
  },
};

/** A key that stays when the tour is over. */
export async function makeApiKey(world: TourWorld, name: string): Promise<{ key: string }> {
  const token = await mintJwt(world.jwtSecret);
  return api(createTour(world), token).apiKeys.create({ body: { name } });
}

/** Keys of finished tours would accumulate. */
export async function deleteTourKey(tour: Parameters<TourStep['run']>[0]): Promise<void> {
  if (!tour.key) return;
  const token = await mintJwt(tour.world.jwtSecret);
  await api(tour, token).apiKeys.delete({ id: tour.key.id });
}
