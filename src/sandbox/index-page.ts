/** The page at the sandbox's root: an overview with addresses. */
import type { SandboxCore, StandIn } from './core.ts';
import { CONTROL_CALLS } from './control-api.ts';
import { MAGIC_PREFIXES } from './magic-names.ts';

export function indexPage(core: SandboxCore, standIns: StandIn[]): string {
  const url = core.baseUrl();
  const vendors = standIns.map(
    ({ name, mount }) => `<li>${name}${mount === undefined ? '' : `: ${url}${mount.path}`}</li>`,
  );
  const calls = CONTROL_CALLS.map((call) => `<li><code>${call}</code></li>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outreach sandbox</title>
<h1>The world in a box</h1>
<p>Stand-ins for the outside: nothing here is real, nothing costs money.</p>
<h2>Vendors</h2><ul>${vendors.join('')}</ul>
<h2>Control API</h2><ul>${calls.join('')}</ul>
<p><a href="/_sandbox/books">books</a> <a href="/_sandbox/requests">requests</a>
<a href="/_sandbox/faults">faults</a> <a href="/_sandbox/connections">connections</a>
<a href="/_sandbox/sites">websites</a> <a href="/_sandbox/sites/truth">what stands on the generated ones</a></p>
<h2>Magic domain names</h2><p>${MAGIC_PREFIXES.map((prefix) => `<code>${prefix}-*</code>`).join(' ')}</p>
</html>`;
}
