/** What the tests know of the smarthost: its trace in a message, and where its password may stand. */
import { expect } from 'vitest';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';
import { findIn, textsOf } from '../support/drills/written-texts.ts';
import type { LabWorld } from './lab-world.ts';

/** Of the last hop, which is the first line of its kind. */
export const BY_SMARTHOST =
  /^Received: from mail\.[\w.-]+\r\n\tby smarthost\.sandbox\.test with ESMTPSA;/m;

const FOLDERS = '/etc /home /opt /root /run /srv /tmp /usr/local /var';

/** Files of a host with owner and mode, its journal and processes; rows, logs and histories of the product. */
export async function placesOfPassword(lab: LabWorld, serverId: number): Promise<string[]> {
  // As a pattern that does not match itself: the search is a process with arguments, too.
  const pattern = SMARTHOST.password.replace(/.$/, '[$&]');
  const lines = async (line: string) => {
    const { stdout } = await lab.run(serverId, line);
    return stdout.split('\n').filter(Boolean);
  };
  const files = `grep -rlsaZ -D skip -- '${pattern}' ${FOLDERS}`;
  const texts = await textsOf(lab.world);
  // The search itself works: what is no secret is found.
  expect(findIn(texts, [SMARTHOST.host])).not.toEqual([]);
  expect(await lines(`journalctl --no-pager | grep -c -- 'postfix'`)).not.toEqual(['0']);
  return [
    ...(await lines(`${files} | xargs -0r stat -c '%U %a %n'`)),
    ...(await lines(`journalctl --no-pager | grep -- '${pattern}'`)),
    ...(await lines(`cat /proc/[0-9]*/cmdline | grep -a -- '${pattern}'`)),
    ...findIn(texts, [SMARTHOST.password]),
  ];
}
