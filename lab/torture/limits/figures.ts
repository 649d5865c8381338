import type { Broken } from "../promise.ts";
import { admission, type History, type User } from "./history.ts";

/** What the closing table tells of a run that took `ms`. */
export function figuresOf(
  { asked, restarts }: History,
  users: User[],
  broken: Broken[],
  ms: number,
): Record<string, string | number> {
  const count = (promise: string) => broken.filter((one) => one.promise === promise).length;
  const manners = Map.groupBy(users, ({ manner }) => manner);
  const byManner = [...manners].map(([manner, group]) => {
    const names = new Set(group.map(({ name }) => name));
    const mine = asked.filter(({ user }) => names.has(user));
    const told = (what: string) => mine.filter((one) => admission(one) === what).length;
    const line = `${mine.length} sent, ${told("admitted")} admitted, ${told("refused")} refused, ${told("unknown")} unknown`;
    return [`${group.length} × ${manner}`, line] as const;
  });
  return {
    seconds: (ms / 1000).toFixed(1),
    requests: asked.length,
    restarts: restarts.length,
    ...Object.fromEntries(byManner),
    "answered 503": asked.filter(({ status }) => status === 503).length,
    "no answer": asked.filter(({ status }) => status === 0).length,
    "over-admitted": count("no more than the quota is admitted"),
    "wrongly refused": count("nobody is refused within the quota"),
  };
}
