import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";

/** Servers close connections after 5 s without a request, most of them. One that is used just then would be reset. */
const IDLE_MS_MAX = 4000;

/** The connections to one endpoint, which are used again as long as it is served. */
export interface Connections {
  plain: Agent;
  secure: SecureAgent;
  close(): void;
}

/** @param atOnce how many requests there may be at once */
export function openConnections(atOnce: number): Connections {
  const options = { keepAlive: true, maxSockets: atOnce, maxFreeSockets: atOnce, timeout: IDLE_MS_MAX };
  const [plain, secure] = [new Agent(options), new SecureAgent(options)];
  const close = () => {
    plain.destroy();
    secure.destroy();
  };
  return { plain, secure, close };
}
