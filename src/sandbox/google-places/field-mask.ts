/** The fields of a place that the Places API (New) has, and the mask that chooses among them. */
import { invalidArgument } from './wire.ts';

/** Fields that the stand-in has no data for are accepted, as Google accepts them. */
const FIELDS = (
  'accessibilityOptions addressComponents adrFormatAddress attributions businessStatus displayName ' +
  'editorialSummary formattedAddress googleMapsLinks googleMapsUri iconBackgroundColor ' +
  'iconMaskBaseUri id internationalPhoneNumber location name nationalPhoneNumber photos plusCode ' +
  'postalAddress priceLevel primaryType primaryTypeDisplayName pureServiceAreaBusiness rating ' +
  'regularOpeningHours reviews shortFormattedAddress types userRatingCount utcOffsetMinutes ' +
  'viewport websiteUri'
).split(' ');

/** The selected fields; a mask with an unknown path is refused. */
export interface Mask {
  /** Names of fields; undefined = all. */
  place: Set<string> | undefined;
  nextPageToken: boolean;
}

export function readMask(text: string | undefined): Mask {
  if (text === undefined || text.trim() === '') {
    throw invalidArgument(
      'FieldMask is a required parameter. See https://cloud.google.com/apis/docs/' +
        'system-parameters on how to provide it as a URL parameter or response header.',
    );
  }
  const paths = text.split(',').map((path) => path.trim());
  const all = paths.includes('*');
  for (const path of paths) checkPath(path);
  const fields = paths.flatMap((path) => /^places\.(\w+)/.exec(path)?.[1] ?? []);
  return {
    place: all || paths.includes('places') ? undefined : new Set(fields),
    nextPageToken: all || paths.includes('nextPageToken'),
  };
}

function checkPath(path: string): void {
  const field = /^places\.(\w+)/.exec(path)?.[1];
  const isKnown = ['*', 'places', 'nextPageToken', 'searchUri'].includes(path);
  if (isKnown || (field !== undefined && FIELDS.includes(field))) return;
  throw invalidArgument(
    `Request contains an invalid argument. Error expanding 'fields' parameter. ` +
      `Cannot find matching fields for path '${path}'.`,
  );
}
