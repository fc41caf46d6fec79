/** Whether each resolver of `DNS_SERVERS` answers. */
import { fine, wrong, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import { createDnsResolver } from './index.ts';

/** Every resolver knows who serves it; that there is no such name is an answer, too. */
const KNOWN_NAME = 'com';

export function dnsQuestions(input: {
  servers: readonly string[];
  timeoutMs: number;
}): AccountQuestion[] {
  const { servers, timeoutMs } = input;
  const places = servers.length > 0 ? servers.map((one) => [one]) : [[]];
  return places.map((place) => ({
    name: `name server ${place[0] ?? 'of the system'}`,
    ask: async () => {
      try {
        await createDnsResolver({ servers: place, timeoutMs }).resolveNs(KNOWN_NAME);
        return fine('answers');
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return wrong(why, 'Set DNS_SERVERS to resolvers that answer from here.');
      }
    },
  }));
}
