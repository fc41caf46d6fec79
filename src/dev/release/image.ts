/** The image, by whatever engine `docker` talks to, and which of its layers are ours. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 27;

export interface Image {
  tag: string;
  id: string;
  base: string;
  /** Digests of the layers above the base, the lowest first. */
  layers: string[];
}

export interface ImageOrder {
  root: string;
  tag: string;
  /** The time of the release, in seconds: that of every file of ours. */
  epoch: number;
  /** More arguments of `docker build`. */
  buildArgs: readonly string[];
}

/** Builds it without any cache, so that its digests tell something. */
export async function makeImage({ root, tag, epoch, buildArgs }: ImageOrder): Promise<Image> {
  const time = ['--build-arg', `SOURCE_DATE_EPOCH=${epoch}`];
  await docker('build', '--no-cache', '--quiet', ...time, ...buildArgs, '--tag', tag, root);
  const base = await baseOf(root);
  const below = await layersOf(base);
  const all = await layersOf(tag);
  if (below.some((digest, at) => digest !== all[at])) {
    throw new Error(`${tag} does not stand on ${base}`);
  }
  const id = (await docker('image', 'inspect', '--format', '{{.Id}}', tag)).trim();
  return { tag, id, base, layers: all.slice(below.length) };
}

/** Whether an engine answers. */
export const engineAnswers = (): Promise<boolean> =>
  docker('version').then(
    () => true,
    () => false,
  );

async function baseOf(root: string): Promise<string> {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  return [...dockerfile.matchAll(/^FROM (\S+)/gm)].at(-1)![1]!;
}

async function layersOf(tag: string): Promise<string[]> {
  const text = await docker('image', 'inspect', '--format', '{{json .RootFS.Layers}}', tag);
  return JSON.parse(text) as string[];
}

async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}
