import type { Socket } from "node:net";
import type { NatsConnection } from "nats";

/** Members of the NATS client that have no public access. */
interface Inner {
  protocol: {
    transport: Transport;
    /** Made anew for each attempt to connect. */
    parser: { parse(bytes: Uint8Array): void };
  };
}

interface Transport {
  socket?: Socket;
  connected: boolean;
}

/**
 * Ends a connection that does not answer pings. The client, which has said so, waits for its last bytes to leave before
 * it opens another, and of a silent connection whose buffers are full they never do.
 */
export function cutOff(client: NatsConnection): void {
  innerOf(client).transport.socket?.destroy();
}

/**
 * Ends the connection, or the attempt to connect, that the client is at when it cannot be read. The client itself would
 * write a line on standard output, read no more of it, and find after some seconds that no ping is answered.
 */
export function endWhenUnreadable(client: NatsConnection): void {
  const { parser, transport } = innerOf(client);
  const parse = parser.parse.bind(parser);
  parser.parse = (bytes) => {
    try {
      parse(bytes);
    } catch {
      transport.socket?.destroy();
    }
  };
}

/**
 * Closes the sockets of attempts to connect that were given up, which the client leaves open: a server that lets
 * everybody in and answers nobody would get one more with each attempt. Call the function that it gives at each
 * attempt.
 */
export function closerOfAttempts(client: NatsConnection): () => void {
  let last = innerOf(client).transport;
  return () => {
    if (!last.connected) last.socket?.destroy();
    last = innerOf(client).transport;
  };
}

function innerOf(client: NatsConnection): Inner["protocol"] {
  return (client as unknown as Inner).protocol;
}
