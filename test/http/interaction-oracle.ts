import type { Item } from "../support/client.ts";

/** An interaction as the oracle knows it. */
export interface Known {
  user: string;
  dateTime: string;
  person: string;
}

/** What a person's record should say to a user, from all interactions with the person. */
export function expected(known: Known[], caller: string, groupId: string) {
  const due = known
    .filter(({ dateTime }) => Date.parse(dateTime) <= Date.now())
    .toSorted((a, b) => b.dateTime.localeCompare(a.dateTime));
  const of = (some: Known[]) => ({ approximateCount: some.length, lastInteractedAt: some[0]?.dateTime ?? null });
  const byUser = [...Map.groupBy(due, ({ user }) => user)].toSorted(
    ([, a], [, b]) => b.length - a.length || (b[0]?.dateTime ?? "").localeCompare(a[0]?.dateTime ?? ""),
  );
  const strongest = byUser[0]?.[0];
  return {
    user: of(due.filter(({ user }) => user === caller)),
    workspace: { ...of(due), lastInteractedBy: due[0] ? [due[0].user] : [] },
    strongest: strongest ? { [groupId]: strongest } : {},
  };
}

/** The same of a record that was answered. */
export function told({ interactionMetadata, strongestConnection }: Item): object {
  const { user, workspace } = interactionMetadata as { user: object; workspace: { lastInteractedBy: Item[] } & object };
  const strongest = Object.entries(strongestConnection as Record<string, Item>).map(([id, one]) => [id, one.id]);
  return {
    user,
    workspace: { ...workspace, lastInteractedBy: workspace.lastInteractedBy.map(({ id }) => id) },
    strongest: Object.fromEntries(strongest),
  };
}

/** Numbers from 0 to 1 that are the same in each run. */
export function numbers(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last * 48_271) % 2_147_483_647;
    return last / 2_147_483_647;
  };
}

/** Times that are all different, one in six of them to come. */
export function times(random: () => number): () => string {
  let ticks = 0;
  return () => {
    ticks += 1;
    const year = random() < 1 / 6 ? 2090 : 2020 + Math.floor(random() * 5);
    const [month, day] = [Math.floor(random() * 12), 1 + Math.floor(random() * 28)];
    return new Date(Date.UTC(year, month, day, 0, 0, 0, ticks)).toISOString();
  };
}

/** Runs work beside other work, at most so many at once. */
export function beside(atOnce: number) {
  const running = new Set<Promise<void>>();
  return {
    async begin(work: Promise<void>): Promise<void> {
      const one: Promise<void> = work.finally(() => running.delete(one));
      running.add(one);
      if (running.size >= atOnce) await Promise.race(running);
    },
    async quiet(): Promise<void> {
      await Promise.all(running);
    },
  };
}
