/** Checks e-mail addresses: kept results, our own checks, then a verifier. */
import type { Context } from './context.ts';
import type { EmailChecker } from './domain/email-check.ts';

export type EmailCheckerNeeds = Pick<Context, 'db' | 'dns' | 'emailVerifiers' | 'clock' | 'logger'>;

export const createEmailChecker = (_needs: EmailCheckerNeeds): EmailChecker => ({
  check: () => Promise.reject(new Error('not built yet')),
});
