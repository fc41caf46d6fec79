/** Messages that wait at their server until a test lets them go, however long a busy machine takes before. */
import { onTestFinished } from 'vitest';
import type { MailTransport } from '../../../src/providers/mail-transport/port.ts';
import { createSignal } from '../tools/signal.ts';

/** All but the first ones wait until `release`, and no longer than the test. */
export function holdMessages(
  mailTransport: MailTransport,
  first: number,
): { mailTransport: MailTransport; release: () => void } {
  const released = createSignal();
  onTestFinished(() => released.open());
  let offered = 0;
  const holding: MailTransport = {
    ...mailTransport,
    async openSubmission(access) {
      const session = await mailTransport.openSubmission(access);
      const send: typeof session.send = async (...input) => {
        if ((offered += 1) > first) await released.opened;
        return session.send(...input);
      };
      return { ...session, send };
    },
  };
  return { mailTransport: holding, release: () => released.open() };
}
