/** The product end to end: one world, started as a user does, with everything going wrong in it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { campaignKillTests } from './campaign-kills.ts';
import { cancelTests } from './cancel.ts';
import { cliTourTests } from './cli-tour.ts';
import { discoveryKillTests } from './discovery-kills.ts';
import { doctorTests } from './doctor.ts';
import { domainTests, illRegistrarTests } from './domains.ts';
import { killTests } from './kills.ts';
import { listKillTests } from './list-kills.ts';
import { magicNameTests } from './magic-names.ts';
import { mapsKillTests } from './maps-kills.ts';
import { mcpTourTests } from './mcp-tour.ts';
import { messageKillTests } from './message-kills.ts';
import { onCallTests } from './on-call.ts';
import { outageTests } from './outage.ts';
import { blockingTests } from './blocking.ts';
import { priceTests } from './prices.ts';
import { provisioningKillTests } from './provisioning-kills.ts';
import { referencePageTests } from './reference-page.ts';
import { replayTests } from './replay.ts';
import { scheduleKillTests } from './schedule-kills.ts';
import { secondStartTests } from './second-start.ts';
import { secretTests } from './secrets.ts';
import { shareWorld } from './shared-world.ts';
import { trackingDomainTests } from './tracking-domains.ts';

/** Most tests wait for provisionings of some seconds, several of them at once on two cores. */
const TIMEOUT_MS = 400_000;

describe('the world in a box', { timeout: TIMEOUT_MS }, () => {
  const shared = shareWorld();
  const world = () => shared.current;
  const outage = outageTests(world);
  const secondStart = secondStartTests(shared);

  illRegistrarTests(world);
  outage.writeRow();

  describe.concurrent('side by side', () => {
    // Only some run at once: the longest go first.
    outage.expectStarted();
    blockingTests(world);
    magicNameTests(world);
    priceTests(world);
    cancelTests(world);
    domainTests(world);
    secondStart.prepare();
  });

  doctorTests(world);
  referencePageTests(world);
  onCallTests(world);
  mcpTourTests(world);
  cliTourTests(world);
  trackingDomainTests(world);

  describe('kill -9', () => {
    killTests(world);
    provisioningKillTests(world);
    discoveryKillTests(world);
    mapsKillTests(world);
    listKillTests(world);
    messageKillTests(world);
    scheduleKillTests(world);
    campaignKillTests(world);
  });

  replayTests(world);
  secretTests(world);

  test('SIGTERM stops everything: exit code 0, no world.json, no process left', async () => {
    const { running } = world();
    await world().leave();
    expect(await running.stop()).toEqual({ code: 0, survivors: [] });
    expect(existsSync(join(running.stateDir, 'world.json'))).toBe(false);
  });

  secondStart.check();
});
