import { connect, type Socket } from "node:net";
import type { World } from "./world.ts";

/**
 * Opens a connection by hand, writes to it, and notes every status that comes and how it ends. What it does with what
 * it is sent is up to the attack: nobody reads before `read` is called.
 */
export function open(
  { port, note }: Pick<World, "port" | "note">,
  bytes: Buffer | string = "",
  { localAddress = "127.0.0.1" }: { localAddress?: string } = {},
): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
  socket.on("error", ({ code, message }: NodeJS.ErrnoException) => note(code ?? message));
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

/** Reads what comes on a connection, and notes the status of each answer. */
export function read(socket: Socket, { note }: Pick<World, "note">): Socket {
  return socket.on("data", (chunk: Buffer) => {
    for (const [, status = ""] of chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g)) note(status);
  });
}
