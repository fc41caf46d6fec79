/** Who did something, as `operation_events.actor` names it. */
export const ACTOR = {
  user: (userId: string) => `user:${userId}`,
  /** A person with access to the installation, at the command line. */
  operator: (name: string) => `operator:${name}`,
};
