import type { Uuid } from "../../base/values/ids.ts";

type Listener = (workspaceId: Uuid) => void;

const listeners = new WeakMap<object, Set<Listener>>();

/**
 * Calls a listener after each commit in this process that has appended to the log of a workspace. It only makes that
 * known sooner: entries are found without it. Gives a function that ends it.
 * @param database the one on which they are written
 */
export function onLogAppended(database: object, listener: Listener): () => void {
  const ofDatabase = listeners.get(database) ?? new Set();
  listeners.set(database, ofDatabase.add(listener));
  return () => ofDatabase.delete(listener);
}

/** Tells the listeners that entries of a workspace were committed. */
export function logAppended(database: object, workspaceId: Uuid): void {
  for (const listener of listeners.get(database) ?? []) listener(workspaceId);
}
