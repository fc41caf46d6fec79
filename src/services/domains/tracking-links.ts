/** What the listeners for links need of tracking domains: certificates, and answers to the authority. Choice 131. */
import type { Context } from '../../context.ts';
import {
  findChallengeAnswer,
  findServedCertificate,
} from '../../db/domains/tracking-certificates.ts';

/** For one mode of the installation. */
type Needs = Pick<Context, 'db' | 'cipher' | 'clock' | 'logger' | 'recipientLinks'>;

export const trackingLinks = (context: Needs) => ({
  logger: context.logger,
  async certificateOf(name: string) {
    const found = await findServedCertificate(context, name, context.clock.now());
    return found && { certificate: found.certificatePem, privateKey: found.privateKeyPem };
  },
  ownToken: (token: string, name: string) => context.recipientLinks.ownToken(token, name),
  challengeAnswer: (asked: { name: string; token: string }) =>
    findChallengeAnswer(context.db, asked),
});
