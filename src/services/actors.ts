/** Who did something, as `operation_events.actor` names it. */
export const ACTOR = {
  user: (userId: string) => `user:${userId}`,
};
