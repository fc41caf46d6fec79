/** Query parameters of Apify's calls, validated as Apify does. */
import type { Request } from 'express';
import type { RunOptions } from './runs.ts';
import type { Slice } from './shown.ts';
import { refuse } from './wire.ts';

const DEFAULT_TIMEOUT_SECS = 3_600;
const DEFAULT_MEMORY_MBYTES = 1_024;
/** A container has twice its memory on disk. */
const DISK_PER_MEMORY = 2;

export const flagOf = (request: Request, name: string): boolean =>
  request.query[name] === '1' || request.query[name] === 'true';

/** A number of the query; undefined when it is absent. */
export function numberOf(
  request: Request,
  name: string,
  { max = Number.MAX_SAFE_INTEGER, min = 0 }: { max?: number; min?: number } = {},
): number | undefined {
  const text = request.query[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw refuse(400, 'invalid-parameter', `Invalid value of parameter "${name}"`);
}

export function sliceOf(request: Request, maxLimit: number): Slice {
  const limit = numberOf(request, 'limit', { min: 1 }) ?? maxLimit;
  return {
    offset: Math.floor(numberOf(request, 'offset') ?? 0),
    limit: Math.min(Math.floor(limit), maxLimit),
    desc: flagOf(request, 'desc'),
  };
}

export function runOptions(request: Request): RunOptions {
  const memoryMbytes = numberOf(request, 'memory', { min: 128, max: 32_768 });
  const maxTotalChargeUsd = numberOf(request, 'maxTotalChargeUsd');
  const memory = memoryMbytes ?? DEFAULT_MEMORY_MBYTES;
  if (!Number.isInteger(Math.log2(memory))) {
    throw refuse(400, 'invalid-parameter', 'Memory must be a power of 2');
  }
  const build = request.query['build'];
  return {
    build: typeof build === 'string' && build !== '' ? build : 'latest',
    timeoutSecs: numberOf(request, 'timeout') ?? DEFAULT_TIMEOUT_SECS,
    memoryMbytes: memory,
    diskMbytes: memory * DISK_PER_MEMORY,
    ...(maxTotalChargeUsd !== undefined && { maxTotalChargeUsd }),
  };
}
