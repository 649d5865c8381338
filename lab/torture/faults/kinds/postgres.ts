import { type FaultKind, type Fleet, part } from "./kind.ts";

const AWAY_S = 15;
const HANG_S = 20;
const STANDBY_HANGS_S = 40;

/** PostgreSQL that ends, hangs, or gives place to another one. */
export const POSTGRES_FAULTS: FaultKind[] = [
  ended("immediate restart", "SIGQUIT", 0, "PostgreSQL ends without a checkpoint, and starts again at once"),
  ended("fast restart", "SIGINT", 0, "PostgreSQL ends all connections and stops, and starts again at once"),
  ended("away 15 s", "SIGQUIT", AWAY_S, "PostgreSQL ends, and starts again 15 s later"),
  {
    stage: "one NATS",
    kind: "hung",
    target: "PostgreSQL",
    about: "SIGSTOP of all its processes",
    seconds: HANG_S,
    begin: (fleet) => hang(part(fleet, "server")),
  },
  {
    stage: "standby",
    kind: "hung",
    target: "synchronous standby",
    about: "SIGSTOP of the standby that each commit waits for",
    seconds: STANDBY_HANGS_S,
    begin: (fleet) => hang(part(fleet, "standby")),
  },
  {
    stage: "Patroni",
    kind: "fail-over",
    target: "PostgreSQL with Patroni",
    about: "kill -9 of the primary and its Patroni; Patroni promotes the standby",
    seconds: 0,
    async begin(fleet) {
      await part(fleet, "patroni").failOver();
      return undefined;
    },
    repair: (fleet) => part(fleet, "patroni").repair(),
  },
  {
    stage: "Patroni",
    kind: "switch-over",
    target: "PostgreSQL with Patroni",
    about: "patronictl makes the standby the primary",
    seconds: 0,
    async begin(fleet) {
      await part(fleet, "patroni").switchOver();
      return undefined;
    },
  },
];

function ended(kind: string, signal: "SIGINT" | "SIGQUIT", seconds: number, about: string): FaultKind {
  const begin = async (fleet: Fleet) => {
    const server = part(fleet, "server");
    await server.end(signal);
    return () => server.start();
  };
  return { stage: "one NATS", kind, target: "PostgreSQL", about, seconds, begin };
}

function hang(server: { pause(): void; resume(): void }) {
  server.pause();
  return () => server.resume();
}
