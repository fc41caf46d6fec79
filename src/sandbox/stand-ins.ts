/** Every stand-in of the world. A new one is a file and a line here. */
import type { SandboxCore, StandIn } from './core.ts';
import { createBlocklists } from './blocklists.ts';
import { createAcme } from './acme/stand-in.ts';
import { createApify } from './apify/stand-in.ts';
import { createCatalogues, openCatalogues } from './catalogues/stand-in.ts';
import { createCredits } from './credits.ts';
import { createApollo } from './finders/apollo.ts';
import { createHunter } from './finders/hunter.ts';
import { createGooglePlaces } from './google-places/stand-in.ts';
import { createHetzner } from './hetzner/stand-in.ts';
import { createAnthropic } from './language-models/anthropic.ts';
import { createOpenai } from './language-models/openai.ts';
import { createLinksHost } from './links-host.ts';
import { createMail } from './mail/mail.ts';
import { createMeta } from './meta/stand-in.ts';
import { createNamecom } from './namecom/stand-in.ts';
import { createPorkbun } from './porkbun/stand-in.ts';
import { createStripe } from './stripe/stand-in.ts';
import { createHosts } from './servers/hosts.ts';
import { createOauth } from './oauth/stand-in.ts';
import { createMxLab } from './mx-lab/stand-in.ts';
import { createRealHosts } from './real-servers/hosts.ts';
import { createSmarthost } from './smarthost.ts';
import { createReacher } from './verifiers/reacher.ts';
import { createZerobounce } from './verifiers/zerobounce.ts';
import { createVultr } from './vultr/stand-in.ts';
import { createWebsites } from './websites/stand-in.ts';

export function createStandIns(core: SandboxCore): StandIn[] {
  const { vpsImage } = core.options;
  const hosts = vpsImage === undefined ? createHosts(core) : createRealHosts(core, vpsImage);
  const websites = createWebsites(core);
  const catalogues = openCatalogues(core);
  return [
    createNamecom(core),
    createPorkbun(core),
    createStripe(core),
    createHetzner(core, hosts),
    createVultr(core, hosts),
    createMail(core, hosts, websites),
    createSmarthost(core, hosts.queue),
    websites,
    createCatalogues(catalogues),
    createApify(core, catalogues),
    createGooglePlaces(core, catalogues),
    createMeta(core, catalogues),
    createHunter(core, catalogues),
    createApollo(core, catalogues),
    createReacher(core),
    createZerobounce(core),
    createAnthropic(core),
    createOpenai(core),
    createOauth(core, 'google', hosts),
    createOauth(core, 'microsoft', hosts),
    createMxLab(core),
    createCredits(core),
    createBlocklists(core),
    createAcme(core),
    createLinksHost(core),
  ];
}
