/** Rate limits: the shared count and its headers, and the local limit while Postgres is down. */
import type { Response } from 'express';
import { OutreachError } from '../domain/errors.ts';
import type { Charge, Limits, WindowState } from '../domain/accounts/rate-limits.ts';

const MINUTE_MS = 60_000;
/** Bounds the memory of the local limit; beyond it the oldest subject's count starts again. */
const MAX_LOCAL_SUBJECTS = 50_000;

/** Writes both windows into the headers and throws 429 for a request over a limit. Choice 48. */
export function applyCharge(response: Response, { granted, minute, hour }: Charge): void {
  const tighter = left(minute) <= left(hour) ? minute : hour;
  response.setHeader('X-RateLimit-Limit', tighter.limit);
  response.setHeader('X-RateLimit-Remaining', left(tighter));
  response.setHeader('X-RateLimit-Reset', Math.ceil(Date.now() / 1_000) + tighter.resetSeconds);
  response.setHeader(
    'RateLimit-Policy',
    `"min";q=${minute.limit};w=60, "hour";q=${hour.limit};w=3600`,
  );
  response.setHeader(
    'RateLimit',
    `"min";r=${left(minute)};t=${minute.resetSeconds}, "hour";r=${left(hour)};t=${hour.resetSeconds}`,
  );
  if (granted) return;
  const spent = [minute, hour].filter((window) => left(window) === 0);
  const seconds = Math.max(1, ...spent.map((window) => window.resetSeconds));
  response.setHeader('Retry-After', seconds);
  throw new OutreachError(
    'rate_limited',
    'RATE_LIMITED',
    `Rate limit exceeded, try again in ${seconds} seconds`,
  );
}

const left = (window: WindowState): number => Math.max(0, window.limit - window.used);

/**
 * Counts in this process only. While Postgres is down each process allows at most the minute's limit, so
 * that an outage does not remove all limits.
 */
export function createLocalLimit(limits: Limits): (subject: string) => Charge {
  const windows = new Map<string, { startedAt: number; used: number }>();
  return (subject) => {
    const now = performance.now();
    let window = windows.get(subject);
    if (!window || now - window.startedAt >= MINUTE_MS) {
      windows.delete(subject);
      if (windows.size >= MAX_LOCAL_SUBJECTS) windows.delete(windows.keys().next().value!);
      window = { startedAt: now, used: 0 };
      windows.set(subject, window);
    }
    const granted = window.used < limits.perMinute;
    if (granted) window.used += 1;
    const resetSeconds = Math.ceil((window.startedAt + MINUTE_MS - now) / 1_000);
    const minute = { limit: limits.perMinute, used: window.used, resetSeconds };
    return { granted, minute, hour: { ...minute, limit: limits.perHour } };
  };
}
