/** Step: money comes in through a Checkout Session and its signed webhook. */
import { api, control } from './client.ts';
import { check, dollars, until, type Tour, type TourStep } from './tour.ts';

const fundingCents = 10_000;

export const readWallet = (tour: Tour) => api(tour).wallet.read();

export const fundWallet: TourStep = {
  title: 'Fund the wallet',
  async run(tour) {
    const before = await readWallet(tour);
    const { wallet } = api(tour);
    const session = await wallet.fund({ body: { amountCents: fundingCents } });
    tour.checkoutUrl = session.checkoutUrl;
    tour.say(`Paying ${dollars(fundingCents)} at ${session.checkoutUrl}`);
    const page = await fetch(session.checkoutUrl);
    check(page.ok, 'the checkout page to be there');
    await page.body?.cancel();
    await control(tour, 'POST', `/payments/${session.sessionId}/pay`);
    const pace = { withinSeconds: 20, everySeconds: 0.5 };
    await until('The credit', pace, async () => {
      const found = await wallet.verify({ body: { sessionId: session.sessionId } });
      return found.status === 'complete' ? found : undefined;
    });
    const after = await readWallet(tour);
    const gained = after.balanceCents - before.balanceCents;
    check(gained === fundingCents, `${dollars(fundingCents)} more, the wallet has ${gained} cents`);
    return (
      `Wallet funded by Stripe Checkout: ${dollars(before.balanceCents)} -> ` +
      `${dollars(after.balanceCents)}, credited once`
    );
  },
};
