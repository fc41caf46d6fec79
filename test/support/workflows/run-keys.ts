/** The ids of workflows as tests can know them beforehand. */
const RUN_KEY = /\/[0-9a-f]{16}$/;

/** Without the random part of the row, which stands at the end. */
export const withoutRunKey = (workflowId: string): string => workflowId.replace(RUN_KEY, '');
