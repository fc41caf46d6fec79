/** The checkout page that a session's `url` opens; it works without JavaScript. */
import { Router } from 'express';
import { formatDollars } from '../../domain/wallet/money.ts';
import type { Session } from './vendor-records.ts';
import type { Till } from './payments.ts';

export function checkoutPage({ vendorRecords }: Till): Router {
  const router = Router();
  router.get('/checkout/:id', (request, response) => {
    const session = vendorRecords.session(request.params.id);
    if (session === undefined) {
      response.status(404).send(page('Not found', '<p>There is no such checkout session.</p>'));
      return;
    }
    response.send(page(`Pay ${formatDollars(session.amountCents)}`, body(session)));
  });
  return router;
}

/** Where the payer goes after paying; Stripe fills in the session's id. */
export const successUrl = (session: Session): string =>
  session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);

function body(session: Session): string {
  const amount = formatDollars(session.amountCents);
  const order = `<p>${escapeHtml(session.productName)}: <strong>${amount}</strong></p>`;
  if (session.status === 'complete') {
    return `${order}<p>Paid.</p>${link(successUrl(session), 'Back to the application')}`;
  }
  if (session.status === 'expired') return `${order}<p>This session has expired.</p>`;
  const action = `/_sandbox/payments/${session.id}/pay`;
  const cancel = session.cancelUrl === null ? '' : link(session.cancelUrl, 'Cancel');
  return `${order}
<form method="post" action="${action}"><button type="submit">Pay ${amount}</button></form>
${cancel}<p><small>Sandbox: no card is charged.</small></p>`;
}

const link = (href: string, text: string): string =>
  `<p><a href="${escapeHtml(href)}">${text}</a></p>`;

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
  `<style>body{font:18px sans-serif;max-width:28rem;margin:4rem auto}` +
  `button{font:inherit;padding:.6rem 1.4rem}</style></head>` +
  `<body><h1>${title}</h1>${content}</body></html>`;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
