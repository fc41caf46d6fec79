/** A call of the TypeScript client for each operation, from its example: what the reference page shows as code. */
import { readFile } from 'node:fs/promises';
import { format } from 'prettier';
import { exampleOf } from './collection.ts';
import {
  firstExample,
  successOf,
  type ContractDocument,
  type Operation,
  type Parameter,
} from './schema.ts';
import { callsOf, isRequired, PAGED, type Call } from './typescript-client.ts';

export const SAMPLES = new URL('../../http/reference/typescript-samples.json', import.meta.url);
const GUIDE = new URL('../../../docs/api.md', import.meta.url);

/** The panel for code is narrow. */
const WIDTH = 54;
const MARK = '//// ';

/** JSON: the lines that make the client, as the guide begins with them, and code by `operationId`. */
export async function samplesText(document: ContractDocument): Promise<string> {
  const code = callsOf(document).map(
    (call) => `${MARK}${call.operation.operationId}\n${sampleOf(document, call)}`,
  );
  // One text for all: a formatter that starts for each would take seconds.
  const text = await format(code.join('\n'), {
    parser: 'typescript',
    printWidth: WIDTH,
    singleQuote: true,
  });
  const samples = text.split(MARK).slice(1).map(splitLine);
  const contents = { client: await clientLines(), calls: Object.fromEntries(samples) };
  return `${JSON.stringify(contents, null, 1)}\n`;
}

async function clientLines(): Promise<string> {
  const lines = /^import \{ createOutreach[\s\S]+?^\}\);$/m.exec(await readFile(GUIDE, 'utf8'));
  if (!lines) throw new Error('docs/api.md does not show how the client is made');
  return lines[0];
}

function splitLine(text: string): [name: string, code: string] {
  const end = text.indexOf('\n');
  return [text.slice(0, end), text.slice(end + 1).trim()];
}

function sampleOf(document: ContractDocument, call: Call): string {
  const { operation, kind } = call;
  const input = inputOf(document, call);
  const asked = `outreach.${operation.operationId}(${input})`;
  if (PAGED.includes(kind)) return `for await (const each of ${asked}) console.log(each);`;
  if (kind === 'bytes') return `const bytes = await ${asked};\nconsole.log(bytes.length);`;
  return `const answer = await ${asked};\nconsole.log(answer);`;
}

function inputOf(document: ContractDocument, { operation, parameters }: Call): string {
  const fields = parameters
    .filter(isRequired)
    .map((each) => `${each.name}: ${JSON.stringify(valueOf(each, operation))}`);
  const { content = {} } = operation.requestBody ?? {};
  const { 'application/json': json, ...files } = content;
  const example = json && firstExample(json);
  if (example !== undefined) fields.push(`body: ${JSON.stringify(example)}`);
  else if (Object.keys(files).length > 0) fields.push(FILE);
  else if (json?.schema) fields.push(`body: ${JSON.stringify(exampleOf(document, json.schema))}`);
  return fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
}

/** A file goes as it is, with its type. */
const FILE = `body: 'email,first name\\nada@acme.com,Ada\\n', contentType: 'text/csv'`;

/** Ids that are texts begin with a word (`key_...`): as in the answer. */
function valueOf({ name, schema }: Parameter, operation: Operation): unknown {
  if (schema.type === 'integer') return 1;
  const [, { content }] = successOf(operation);
  const { data } = (content?.['application/json']?.example ?? {}) as { data?: { id?: unknown } };
  return name === 'id' && typeof data?.id === 'string' ? data.id : '1';
}
