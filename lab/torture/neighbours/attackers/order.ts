import type { AttackerWorkspace } from "../workspaces.ts";

/** What the process of an attacker is told first. */
export interface Order extends AttackerWorkspace {
  attack: string;
  port: number;
  databaseUrl: string;
  /** Where the provider of enrichments of the server has to listen. */
  providerPort: number;
  ms: number;
}
