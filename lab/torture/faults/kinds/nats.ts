import type { BusServer } from "../../../harness/bus.ts";
import type { FaultKind, Fleet } from "./kind.ts";

const HANG_S = 20;
const AWAY_S = 10;
const LAME_S = 3;

/** One NATS, alone or one of three, that ends or hangs. */
export const NATS_FAULTS: FaultKind[] = [
  ended("one NATS", "kill -9", "NATS", { seconds: 0, about: "NATS is killed, and starts again at once" }),
  ended("one NATS", "away 10 s", "NATS", { seconds: AWAY_S, about: "NATS is killed, and starts again 10 s later" }),
  ended("one NATS", "SIGTERM", "NATS", { seconds: 0, signal: "SIGTERM", about: "NATS stops, and starts at once" }),
  hung("one NATS", "NATS"),
  ended("three NATS", "away 10 s", "one NATS of three", {
    seconds: AWAY_S,
    about: "one of three is killed, and starts again 10 s later",
  }),
  hung("three NATS", "one NATS of three"),
  ended("three NATS", "lame duck", "one NATS of three", {
    seconds: LAME_S,
    signal: "SIGUSR2",
    about: "one of three sends its clients away before it ends",
  }),
];

function ended(
  stage: FaultKind["stage"],
  kind: string,
  target: string,
  { seconds, about, signal = "SIGKILL" }: { seconds: number; about: string; signal?: NodeJS.Signals },
): FaultKind {
  const begin = async (fleet: Fleet) => {
    const server = await busiest(fleet);
    await server.end(signal);
    return () => server.start();
  };
  return { stage, kind, target, about, seconds, begin };
}

function hung(stage: FaultKind["stage"], target: string): FaultKind {
  return {
    stage,
    kind: "hung",
    target,
    about: "SIGSTOP: it keeps its connections and passes nothing on",
    seconds: HANG_S,
    async begin(fleet) {
      const server = await busiest(fleet);
      server.pause();
      return () => server.resume();
    },
  };
}

/** Server with the most connections: one without any would not be missed. */
async function busiest({ cluster }: Fleet): Promise<BusServer> {
  const counts = await Promise.all(cluster.bus.servers.map((server) => server.connections()));
  const server = cluster.bus.servers[counts.indexOf(Math.max(...counts))];
  if (!server) throw new Error("There is no NATS.");
  return server;
}
