/**
 * Whether this process is about to stop. It is told to load balancers before anything is closed: `/readyz` answers 503
 * from the moment it begins, requests are served until they are done. cli/start.ts sets it and then broadcasts the
 * local event `drain.begun`.
 */
export const drain = { begun: false };
