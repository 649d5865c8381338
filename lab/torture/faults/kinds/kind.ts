import type { Citus } from "../../../harness/citus.ts";
import type { NetworkProxy } from "../../../harness/network-proxy.ts";
import type { PostgresNode } from "../../../harness/postgres-node.ts";
import type { Cluster } from "../../cluster.ts";
import type { Fault } from "../history.ts";

/** Fleets, each of which stands on something else. */
export type StageName = "one NATS" | "three NATS" | "standby" | "Patroni" | "Citus";

export const PEERS = ["NATS", "PostgreSQL"] as const;

export type Peer = (typeof PEERS)[number];

/** The database of a fleet: one PostgreSQL, or several, which faults can hit. */
export interface FleetDatabase {
  url: string;
  server?: PostgresNode;
  standby?: PostgresNode;
  patroni?: Patroni;
  citus?: Citus;
  /** Prepared transactions that the servers still have when those of interrupted commits should be ended. */
  leftOver?(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Two PostgreSQLs of which Patroni makes one the primary. */
export interface Patroni {
  /** kill -9 of the primary with its Patroni; returns when the other one is the primary. */
  failOver(): Promise<void>;
  /** Starts again what was killed; returns when both run. */
  repair(): Promise<void>;
  switchOver(): Promise<void>;
}

/** The part of a database that a fault is about. */
export function part<Name extends "server" | "standby" | "patroni" | "citus">({ cluster }: Fleet, name: Name) {
  const found = cluster.postgres[name];
  if (!found) throw new Error(`The database of this fleet has no ${name}.`);
  return found;
}

export interface Fleet {
  cluster: Cluster<FleetDatabase>;
  /** Ways of one gateway and one worker to their peers, by the name of the process. */
  ways: Map<string, Record<Peer, NetworkProxy>>;
  random: () => number;
}

/** Takes a fault back; returns when what has ended is ready again. */
export type End = () => Promise<void> | void;

/** A fault that can be made. */
export interface FaultKind
  extends Pick<Fault, "kind" | "target">,
    Partial<Pick<Fault, "promised" | "away" | "cutOff" | "cutsClients" | "corrupts" | "stays">> {
  stage: StageName;
  about: string;
  /** Seconds that it lasts, unless the run has a lower limit. */
  seconds: number;
  begin(fleet: Fleet): Promise<End | undefined> | End;
  /** Brings back, when all is whole, what is left to be brought back. */
  repair?(fleet: Fleet): Promise<void>;
}

/** One gateway and one worker, which faults hit. There are two of each, so half of the capacity is well. */
export const GATEWAY = "gateway 0";
export const WORKER = "worker 0";

/** The promise for one of two processes with services that cannot serve: calls leave it within two seconds. */
export const HALF_IS_WELL = { first: 0.15, meanwhile: 0, after: 0 };

/** The promise that no request fails at any time. */
export const NONE_FAILS = { first: 0, meanwhile: 0, after: 0 };
