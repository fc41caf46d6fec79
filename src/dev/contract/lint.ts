/** Redocly's and Spectral's recommended rules over the document; any finding is a problem. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** `where rule: words` for each finding. */
export async function lint(source: string): Promise<string[]> {
  return [...(await redocly(source)), ...(await spectral(source))];
}

/** The paths of the specification are as they are: `/mailboxes/cluster/{id}` beside `/mailboxes/{id}/...`. */
const REDOCLY_RULES = { 'no-ambiguous-paths': 'off' } as const;

async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: REDOCLY_RULES });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
  );
}

const SPECTRAL_RULES = {
  // A summary says what an operation does; more words only where there is more to say.
  'operation-description': 'off',
  // Whoever runs the service is whom its users ask.
  'info-contact': 'off',
  // OpenAPI 3.1 has names of roles there for schemes other than OAuth; the rule is of 3.0.
  'oas3-operation-security-defined': 'off',
} as const;

async function spectral(source: string): Promise<string[]> {
  const linter = new Spectral();
  // Its type is that of what it is made from.
  const oas = rulesets.oas as unknown as RulesetDefinition;
  linter.setRuleset({ extends: [oas], rules: SPECTRAL_RULES });
  const findings = await linter.run(source);
  return findings.map(({ code, message, path }) => `#/${path.join('/')} ${code}: ${message}`);
}
