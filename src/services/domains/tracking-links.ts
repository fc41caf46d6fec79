/** What the listeners for links need of tracking domains: certificates, and answers to the authority. Choice 131. */
import type { Context } from '../../context.ts';
import {
  findChallengeAnswer,
  findServedCertificate,
} from '../../db/domains/tracking-certificates.ts';

/** For one mode of the installation. */
type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'recipientLinks'>;

export const trackingLinks = (context: Needs) => ({
  logger: context.logger,
  async certificateOf(name: string) {
    const found = await findServedCertificate(context, name, context.clock.now());
    return found && { certificate: found.certificatePem, privateKey: found.privateKeyPem };
  },
  ownToken: (token: string, name: string) => context.recipientLinks.ownToken(token, name),
  /** Below our own host is no client's name: the proof for `outreach doctor` that it leads here. Choice 134. */
  challengeAnswer: async ({ name, token }: { name: string; token: string }) => {
    const { LINKS_HOST: host } = context.config;
    if (host === undefined || !name.endsWith(`.${host}`)) {
      return findChallengeAnswer(context.db, { name, token });
    }
    return context.recipientLinks.ownToken(token, name);
  },
});
