/** The filters of a search that are applied exactly here, whatever the vendor supports. */
import type { MapsSearch, Place } from './port.ts';

/**
 * Whether a place fits. A minimum of zero stars filters nothing; with more, a place without a rating
 * does not fit. The vendor matches categories: it knows more of them than it shows.
 */
export function fits(place: Place, search: MapsSearch): boolean {
  const { website, minimumStars, skipClosedPlaces } = search;
  if (website === 'withWebsite' && place.website === null) return false;
  if (website === 'withoutWebsite' && place.website !== null) return false;
  if (skipClosedPlaces && place.isClosed) return false;
  if (minimumStars === null || minimumStars === 0) return true;
  return place.rating !== null && place.rating >= minimumStars;
}
