/** Before the tests: the tools and the image of real servers, or the reason why there can be none. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { prepareVpsImage, vpsImageFolder } from '../../src/dev/vps-image.ts';
import { installTools, whyNoRealServers } from '../../src/dev/vps-requirements.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Why nothing is tested here; empty where it is. */
    whySkipped: string;
  }
}

const report = (line: string) => console.log(line);

export default async function prepare(project: TestProject): Promise<void> {
  const reason = whyNoRealServers() ?? (await whyNoTools()) ?? whyNoImage();
  project.provide('whySkipped', reason ?? '');
  if (reason === undefined) report(await prepareVpsImage(report));
  else report(`Real servers are not tested here: ${reason}`);
}

async function whyNoTools(): Promise<string | undefined> {
  try {
    await installTools(report);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Only mirrors that are out of reach are a reason: an image that cannot be made is a failure. */
function whyNoImage(): string | undefined {
  if (existsSync(vpsImageFolder())) return undefined;
  try {
    execFileSync('apt-get', ['update', '--error-on=any'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no image of Debian 12 yet, and apt reaches no mirror to make one';
  }
}
