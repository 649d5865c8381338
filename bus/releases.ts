import type { ServiceBroker } from "moleculer";
import { compareReleases } from "../config/release.ts";

/** Time in which changes are gathered: a process that starts gets to know the others one by one. */
const GATHER_MS = 1_000;

/** Release that a node announces (`metadata` in moleculer.config.ts); null: one from before releases were announced. */
export function releaseOf(node: { metadata?: object | null }): string | null {
  const release: unknown = Reflect.get(node.metadata ?? {}, "release");
  return typeof release === "string" ? release : null;
}

/** Releases on the bus, oldest first, each with the number of processes that this one knows to run it. */
export function runningReleases({ registry }: Pick<ServiceBroker, "registry">): { release: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const node of registry.nodes.toArray()) {
    if (!node.available) continue;
    const release = releaseOf(node) ?? "unknown";
    counts.set(release, (counts.get(release) ?? 0) + 1);
  }
  return [...counts]
    .map(([release, count]) => ({ release, count }))
    .sort((a, b) => compareReleases(known(a.release), known(b.release)));
}

/** Release for comparisons: an unknown one is older than all others. */
function known(release: string): string {
  return release === "unknown" ? "" : release;
}

/**
 * Tells when other releases run than before: when a second one comes, and when one is left. Numbers of processes that
 * change in between are in the metrics. docs/guides/upgrading.md#several-processes
 */
export function followReleases(broker: ServiceBroker, tell: (message: string) => void): void {
  let told = names(runningReleases(broker));
  let gathering = false;

  function look(): void {
    gathering = false;
    const running = runningReleases(broker);
    // Without NATS the others only seem to be gone.
    if (!broker.transit?.tx.connected || names(running) === told) return;
    told = names(running);
    tell(inWords(running));
  }

  const gather = () => {
    if (gathering) return;
    gathering = true;
    setTimeout(look, GATHER_MS).unref();
  };
  for (const event of ["$node.connected", "$node.disconnected"]) broker.localBus.on(event, gather);
}

function names(running: { release: string }[]): string {
  return running.map(({ release }) => release).join();
}

function inWords(running: { release: string; count: number }[]): string {
  const [{ release } = { release: "" }] = running;
  if (running.length === 1) return `All processes run ${release} now.`;
  const each = running.map(({ release, count }, i) => `${release} (${count}${i > 0 ? "" : processes(count)})`);
  return `${running.length === 2 ? "Two" : running.length} releases run: ${each.join(", ")}.`;
}

function processes(count: number): string {
  return count === 1 ? " process" : " processes";
}
