import { CITUS_FAULTS } from "./citus.ts";
import type { FaultKind } from "./kind.ts";
import { LINK_FAULTS } from "./links.ts";
import { NATS_FAULTS } from "./nats.ts";
import { POSTGRES_FAULTS } from "./postgres.ts";
import { PROCESS_FAULTS } from "./processes.ts";

/** All faults, in the order in which they are made. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...PROCESS_FAULTS,
  ...LINK_FAULTS,
  ...NATS_FAULTS,
  ...POSTGRES_FAULTS,
  ...CITUS_FAULTS,
];
