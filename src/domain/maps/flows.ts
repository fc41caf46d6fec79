/** The flows of maps: a search, its websites, and its places as leads of a list. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface MapsRunWork extends FlowOrder {
  runId: number;
}

/** Places of a map search, then their websites when asked. */
export const scrapeMapsFlow = defineFlow<MapsRunWork>()({
  kind: 'scrapeMaps',
  queue: WORKFLOW_QUEUE,
  resource: 'maps_run',
  resourceId: ({ runId }) => runId,
  workflowId: ({ runId }: { runId: number }) => `maps-run/${runId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});

/** The websites of a run that was scraped before; `round` counts its enrichments. */
export const enrichWebsitesFlow = defineFlow<MapsRunWork>()({
  kind: 'enrichWebsites',
  queue: WORKFLOW_QUEUE,
  resource: 'maps_run',
  resourceId: ({ runId }) => runId,
  workflowId: ({ runId, round }: { runId: number; round: number }) =>
    `maps-enrich/${runId}/${round}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});

export interface PlaceImport extends FlowOrder {
  importId: number;
}

/** Places of a run become leads of a list. */
export const importPlacesFlow = defineFlow<PlaceImport>()({
  kind: 'importPlaces',
  queue: WORKFLOW_QUEUE,
  resource: 'maps_import',
  resourceId: ({ importId }) => importId,
  workflowId: ({ runId, importId }: { runId: number; importId: number }) =>
    `maps-import/${runId}/${importId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});
