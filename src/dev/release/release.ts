/**
 * `npm run release -- --dry-run`: makes everything that a release consists of, and prints what would be published.
 * It publishes nothing: whoever has the accounts runs the commands that it prints.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { buildDocument, textOf } from '../contract/built-document.ts';
import { keepDocument } from '../contract/released-document.ts';
import { changesOf } from './changelog.ts';
import { engineAnswers, makeImage } from './image.ts';
import { writeBill } from './sbom.ts';
import { packClient, packTarball, type Tarball } from './tarball.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

const options = new Command('npm run release --')
  .description('Makes a release: image, bill of materials, npm package; checks the changelog.')
  .requiredOption('--dry-run', 'publish nothing (there is no other way yet)')
  .option('--repository <name>', 'where the image would go', 'registry.example.com/outreach')
  .option('--out <dir>', 'where files are put', join(root, '.outreach/release'))
  .option('--without-image', 'where no engine is at hand', false)
  .option('--build-arg <arg...>', 'passed to docker build', [])
  .option('--build-network <name>', 'passed to docker build')
  .parse()
  .opts<{
    repository: string;
    out: string;
    withoutImage: boolean;
    buildArg: string[];
    buildNetwork?: string;
  }>();

try {
  await release();
} catch (error) {
  console.error(`No release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const isWritten = await keepDocument(root, textOf(buildDocument()), version);
  const { commit, epoch, isChanged } = await checkout();
  console.log(`Version    ${version}, commit ${commit}${isChanged ? ', with changes on top' : ''}`);
  const changes = await changesOf(root, version);
  console.log(`Changelog  ${changes.length} changes`);
  console.log(`Contract   docs/openapi.json${isWritten ? ', written anew' : ''}`);

  await rm(options.out, { recursive: true, force: true });
  await mkdir(options.out, { recursive: true });
  await run('npm', ['run', 'build'], { cwd: root });
  const tarball = await packTarball(root, options.out);
  tell('Package   ', tarball);
  const client = await packClient(root, options.out);
  tell('Client    ', client);
  const bill = join(options.out, `outreach-${version}.cdx.json`);
  console.log(`Bill       ${basename(bill)}, ${await writeBill(root, bill, epoch)} packages`);
  const tag = await image(version, epoch);

  console.log(`\nTo be published, by hand:
  git tag --annotate v${version} ${commit}
  npm publish ${relative(process.cwd(), tarball.file)}   # "private" in package.json refuses it until it goes
  npm publish --access public ${relative(process.cwd(), client.file)}
${tag === undefined ? '' : `  docker push ${tag}\n`}  and beside them ${relative(process.cwd(), bill)}`);
  if (isChanged) console.log('\nNot from this state: it has changes that are not committed.');
}

function tell(what: string, { file, files, integrity }: Tarball): void {
  console.log(`${what} ${basename(file)}, ${files} files, ${integrity}`);
}

async function image(version: string, epoch: number): Promise<string | undefined> {
  if (options.withoutImage) {
    console.log('Image      none, as asked for');
    return undefined;
  }
  if (!(await engineAnswers())) {
    throw new Error('no engine answers to `docker version`; --without-image leaves the image out');
  }
  const tag = `${options.repository}:${version}`;
  const network = options.buildNetwork ? ['--network', options.buildNetwork] : [];
  const args = options.buildArg.flatMap((arg) => ['--build-arg', arg]);
  const made = await makeImage({ root, tag, epoch, buildArgs: [...network, ...args] });
  console.log(`Image      ${tag}, ${made.id}\n           on ${made.base}; layers of ours:`);
  for (const layer of made.layers) console.log(`           ${layer}`);
  return tag;
}

async function checkout() {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim();
  return {
    commit: await git('rev-parse', '--short', 'HEAD'),
    epoch: Number(await git('log', '-1', '--format=%ct')),
    isChanged: (await git('status', '--porcelain')) !== '',
  };
}
