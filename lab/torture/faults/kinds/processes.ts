import { type FaultKind, GATEWAY, HALF_IS_WELL, WORKER } from "./kind.ts";

/** Time that a killed process stays away. */
const AWAY_S = 3;
const HANG_S = 20;

/** Processes of the server that are killed, or hang. */
export const PROCESS_FAULTS: FaultKind[] = [
  {
    ...killed(GATEWAY),
    target: "gateway",
    about: "one of two gateways is killed, and starts again 3 s later",
    cutsClients: true,
  },
  { ...killed(WORKER), target: "services", about: "one of two processes with services is killed" },
  {
    ...hung(GATEWAY),
    target: "gateway",
    about: "SIGSTOP: one of two gateways keeps its connections and answers nothing",
    cutsClients: true,
  },
  {
    ...hung(WORKER),
    target: "services",
    about: "SIGSTOP: one of two processes with services keeps its connections and answers nothing",
    promised: HALF_IS_WELL,
  },
];

function killed(name: string) {
  return {
    stage: "one NATS",
    kind: "kill -9",
    seconds: AWAY_S,
    away: [name],
    async begin({ cluster: { members } }) {
      await members.end(name, "SIGKILL");
      return () => members.start(name);
    },
  } satisfies Partial<FaultKind>;
}

function hung(name: string) {
  return {
    stage: "one NATS",
    kind: "hung",
    seconds: HANG_S,
    away: [name],
    begin({ cluster: { members } }) {
      members.pause(name);
      return () => members.resume(name);
    },
  } satisfies Partial<FaultKind>;
}
