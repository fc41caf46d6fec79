/** The identity of an operation outside our database, which keeps its ids apart from those of a lost row. */

/**
 * The id of an operation's workflow in Temporal. `workflow_id` is derived from ids, which a database that was
 * put back hands out again: the row's random part makes it that row's alone. Rows of before have none.
 * docs/workflow-rules.md#the-row-comes-first.
 */
export const workflowIdOf = (operation: { workflow_id: string; run_key: string | null }): string =>
  operation.run_key === null
    ? operation.workflow_id
    : `${operation.workflow_id}/${operation.run_key}`;
