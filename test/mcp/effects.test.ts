/** What the tools can do at the API: whatever spends or sends needs its grant, and says first what it would do. */
import { beforeAll, describe, expect, it } from 'vitest';
import { GRANTS, type Grant } from '../../src/mcp/tool.ts';
import { offered, TOOLS } from '../../src/mcp/tools/index.ts';
import { declaredTools, type DeclaredTool } from '../support/mcp/called-operations.ts';
import { readEffectSources } from '../support/sources/effect-sources.ts';

/** `writes`: of the account's own, free, and seen by nobody outside. `asks`: changes nothing. */
type Effect = 'spends' | 'sends' | 'writes' | 'asks';

/** Every operation of the API, other than a GET, that a tool can call. A new one is placed here by who adds it. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'clusters.create': 'spends',
  'clusters.createWithExistingDomain': 'spends',
  'leadProcesses.create': 'spends',
  'leadProcesses.resume': 'spends',
  'mapsRuns.create': 'spends',
  'campaigns.resume': 'sends',
  'campaigns.sendTestEmail': 'sends',
  'campaigns.start': 'sends',
  'inbox.reply': 'sends',
  'placementTests.create': 'sends',
  'warmup.actOnMany': 'sends',
  'webhooks.create': 'sends',
  'webhooks.test': 'sends',
  'campaigns.preview': 'asks',
  'domains.check': 'asks',
  'domains.suggest': 'asks',
  'suppressions.check': 'asks',
  'account.update': 'writes',
  'campaigns.create': 'writes',
  'campaigns.pause': 'writes',
  'campaigns.update': 'writes',
  'inbox.cancel': 'writes',
  'leadImports.cancel': 'writes',
  'leadImports.create': 'writes',
  'leadLists.create': 'writes',
  'leadProcesses.cancel': 'writes',
  'leadProcesses.pause': 'writes',
  'mailboxImports.cancel': 'writes',
  'mailboxes.createMany': 'writes',
  'mapsRuns.cancel': 'writes',
  'mapsRuns.importToLeadList': 'writes',
  'suppressions.create': 'writes',
  'wallet.fund': 'writes',
  'wallet.verify': 'writes',
  'warmup.pause': 'writes',
};

/** Tools that read, by what they say of themselves, and write all the same. */
const READING: Readonly<Record<string, Record<string, string>>> = {
  wait_for: {
    'wallet.verify': 'credits what was paid, as the event of the payment processor does',
  },
};

const NEEDED: Partial<Record<Effect, Grant>> = { spends: 'spend', sends: 'send' };

let tools: DeclaredTool[];
let writing: Set<string>;
const writesOf = (operationIds: readonly string[]) => operationIds.filter((id) => writing.has(id));
const grantsOf = (operationIds: readonly string[]) => {
  const needed = writesOf(operationIds).map((id) => NEEDED[EFFECTS[id]!]);
  return GRANTS.filter((grant) => needed.includes(grant));
};

beforeAll(async () => {
  const sources = await readEffectSources('src/mcp');
  tools = declaredTools(sources.files, sources.operationIds);
  writing = sources.writing;
});

describe('what the tools call', () => {
  it('is read of all of them', () => {
    const names = (of: readonly { name: string }[]) => of.map(({ name }) => name).toSorted();
    expect(names(tools)).toEqual(names(TOOLS));
    expect(tools.filter(({ before, confirmed }) => before.length + confirmed.length === 0)).toEqual(
      [],
    );
  });

  it('has its place in the table, whatever is no GET', () => {
    const called = tools.flatMap(({ before, confirmed }) => writesOf([...before, ...confirmed]));
    expect(Object.keys(EFFECTS).toSorted()).toEqual([...new Set(called)].toSorted());
  });
});

describe.each(TOOLS)('$name', ({ name, needs, input, annotations }) => {
  const declared = () => tools.find((one) => one.name === name)!;

  it('needs the grant of what it calls, and asks for a confirmation where it needs one', () => {
    const { before, confirmed, isTwoStep } = declared();
    expect(grantsOf([...before, ...confirmed])).toEqual(needs === undefined ? [] : [needs]);
    expect(isTwoStep).toBe(needs !== undefined);
    expect('confirm' in input.shape).toBe(isTwoStep);
    expect(offered(new Set()).some((tool) => tool.name === name)).toBe(needs === undefined);
  });

  it('changes nothing before that', () => {
    const { before, isTwoStep } = declared();
    if (!isTwoStep && annotations.readOnlyHint !== true) return;
    const changes = writesOf(before).filter((id) => EFFECTS[id] !== 'asks');
    expect(changes).toEqual(Object.keys(READING[name] ?? {}));
  });
});

describe('the reading of the sources', () => {
  const ids = ['things.buy', 'things.read', 'things.stop'];
  const helper = {
    path: 'src/mcp/helper.ts',
    text: `export const buyIt = ({ things }: Outreach) => things.buy({});\n`,
  };
  const toolOf = (body: string, above = '') => ({
    path: 'src/mcp/tools/a.ts',
    text: `import { buyIt } from '../helper.ts';\n${above}\nconst a = ${body}\n`,
  });

  it('finds a call in a helper of another file', () => {
    const text = `tool({\n  name: 'a',\n  run: (input, { outreach }) => look(outreach),\n});`;
    const above = `const look = (outreach: Outreach) =>\n  outreach.things.read({}) ?? buyIt(outreach);\n`;
    const [found] = declaredTools([toolOf(text, above), helper], ids);
    expect(found).toMatchObject({ isTwoStep: false, before: ['things.buy', 'things.read'] });
  });

  it('tells what stands before a confirmation from what stands behind it', () => {
    const members = [
      `  name: 'a',`,
      `  async quote(input, { outreach }) {\n    return outreach.things.stop({});\n  },`,
      `  act: (input, { outreach }) =>\n    buyIt(outreach),`,
    ];
    const text = `twoStep({\n${members.join('\n')}\n});`;
    const [found] = declaredTools([toolOf(text), helper], ids);
    expect(found).toMatchObject({ before: ['things.stop'], confirmed: ['things.buy'] });
  });

  it.each([
    'outreach[noun].buy({})',
    'const { buy } = outreach.things;',
    'outreach.things[verb]()',
  ])('refuses %s, which hides what is called', (text) => {
    expect(() => declaredTools([toolOf(text)], ids)).toThrow('write operations as resource.verb');
  });
});
