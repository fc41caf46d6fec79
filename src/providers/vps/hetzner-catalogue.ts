/**
 * Whether Hetzner sells the configured server now. Since September 2025 server types are deprecated by
 * location, since April 2026 their availability is told there, too; data centres are gone since October
 * 2026 (https://docs.hetzner.cloud/changelog).
 */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import type { OrderProblem } from './port.ts';

/** What is ordered, by the names of its settings. */
export interface HetznerOrder {
  HETZNER_SERVER_TYPE: string;
  HETZNER_LOCATION: string;
  HETZNER_IMAGE: string;
}

const deprecation = z.object({ unavailable_after: z.iso.datetime({ offset: true }) }).nullish();
const serverType = z.object({
  name: z.string(),
  architecture: z.string(),
  locations: z.array(
    z.object({ name: z.string(), deprecation, available: z.boolean().optional() }),
  ),
});
const image = z.object({
  name: z.string().nullable(),
  status: z.string(),
  architecture: z.string(),
  deprecated: z.iso.datetime({ offset: true }).nullable(),
});
const typesAnswer = z.object({ server_types: z.array(serverType) });
const imagesAnswer = z.object({ images: z.array(image) });

type ServerType = z.infer<typeof serverType>;

/** Three requests that change nothing. */
export async function orderProblems(
  client: JsonClient,
  order: HetznerOrder,
  now = new Date(),
): Promise<OrderProblem[]> {
  const { server_types } = await client.send({
    method: 'GET',
    path: '/server_types',
    query: { per_page: 50 },
    repeatable: true,
    answer: typesAnswer,
  });
  const type = server_types.find(({ name }) => name === order.HETZNER_SERVER_TYPE);
  const typeProblem = problemOfType(server_types, order, now);
  const imageProblem = await problemOfImage(client, order, type?.architecture ?? 'x86');
  return [typeProblem, imageProblem].filter((problem) => problem !== undefined);
}

function problemOfType(
  all: readonly ServerType[],
  order: HetznerOrder,
  now: Date,
): OrderProblem | undefined {
  const { HETZNER_SERVER_TYPE: name, HETZNER_LOCATION: place } = order;
  const sold = all.filter((one) => isSold(one, place, now)).map((one) => one.name);
  if (!all.some(({ locations }) => locations.some((one) => one.name === place))) {
    const places = [...new Set(all.flatMap(({ locations }) => locations.map((one) => one.name)))];
    return prevents('HETZNER_LOCATION', `${place} is no location; there are ${places.join(', ')}`);
  }
  const offered = `sold there now: ${sold.join(', ') || 'nothing'}`;
  const here = all
    .find((one) => one.name === name)
    ?.locations.find((location) => location.name === place);
  const problem = (what: string) => prevents('HETZNER_SERVER_TYPE', `${name} ${what}; ${offered}`);
  if (here === undefined) return problem(`is not sold in ${place}`);
  const end = here.deprecation?.unavailable_after;
  if (end !== undefined && new Date(end) <= now) {
    return problem(`cannot be ordered in ${place} since ${end.slice(0, 10)}`);
  }
  if (here.available === false) return problem(`is sold out in ${place}`);
  if (end === undefined) return undefined;
  const message = `${name} cannot be ordered in ${place} from ${end.slice(0, 10)} on; ${offered}`;
  return { variable: 'HETZNER_SERVER_TYPE', message, prevents: false };
}

const isSold = ({ locations }: ServerType, place: string, now: Date): boolean =>
  locations.some(
    ({ name, deprecation: ends, available }) =>
      name === place && available !== false && (!ends || new Date(ends.unavailable_after) > now),
  );

async function problemOfImage(
  client: JsonClient,
  { HETZNER_IMAGE: name }: HetznerOrder,
  architecture: string,
): Promise<OrderProblem | undefined> {
  const { images } = await client.send({
    method: 'GET',
    path: '/images',
    query: { name, architecture, include_deprecated: 'true' },
    repeatable: true,
    answer: imagesAnswer,
  });
  const found = images.find((one) => one.name === name);
  if (found === undefined) return prevents('HETZNER_IMAGE', `there is no image ${name}`);
  if (found.status !== 'available') {
    return prevents('HETZNER_IMAGE', `the image ${name} is ${found.status}`);
  }
  if (found.deprecated === null) return undefined;
  const message = `the image ${name} is deprecated since ${found.deprecated.slice(0, 10)}`;
  return { variable: 'HETZNER_IMAGE', message, prevents: false };
}

const prevents = (variable: string, message: string): OrderProblem => ({
  variable,
  message,
  prevents: true,
});
