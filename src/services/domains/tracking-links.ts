/** What the listeners for links need of tracking domains: certificates, and answers to the authority. Choice 131. */
import type { Context } from '../../context.ts';
import {
  findChallengeAnswer,
  findServedCertificate,
} from '../../db/domains/tracking-certificates.ts';

/** For one mode of the installation. */
export const trackingLinks = (context: Pick<Context, 'db' | 'cipher' | 'clock' | 'logger'>) => ({
  logger: context.logger,
  async certificateOf(name: string) {
    const found = await findServedCertificate(context, name, context.clock.now());
    return found && { certificate: found.certificatePem, privateKey: found.privateKeyPem };
  },
  challengeAnswer: (asked: { name: string; token: string }) =>
    findChallengeAnswer(context.db, asked),
});
