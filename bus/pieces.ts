import { headers, type MsgHdrs } from "nats";

/**
 * A message that NATS would refuse (1 MiB unless max_payload is raised) travels in pieces. Without them a large answer
 * fails after its action has run and committed. One publisher's messages arrive in order, so pieces need no sorting.
 */
const HEADER = "Cw-Piece";

/** NATS counts the headers of a message into its size. */
const HEADER_BYTES_MAX = 512;

/** Pieces that never become whole, because their sender died, are dropped after this time. */
const PIECES_KEPT_MS = 10_000;

interface Piece {
  data: Buffer;
  headers: MsgHdrs;
}

/** Cuts a message without copying it. */
export function cut(data: Buffer, messageBytesMax: number, id: string): Piece[] {
  const size = messageBytesMax - HEADER_BYTES_MAX;
  const count = Math.ceil(data.length / size);
  return Array.from({ length: count }, (_, index) => {
    const mark = headers();
    mark.set(HEADER, `${id} ${index + 1} ${count}`);
    return { data: data.subarray(index * size, (index + 1) * size), headers: mark };
  });
}

/** Puts pieces together again; gives the message with its last piece and undefined before. */
export function openAssembly() {
  const begun = new Map<string, { parts: Buffer[]; since: number }>();
  return (data: Buffer, mark: MsgHdrs): Buffer | undefined => {
    const [id = "", index, count] = mark.get(HEADER).split(" ");
    dropOld(begun);
    const message = index === "1" ? { parts: [], since: Date.now() } : begun.get(id);
    // The first piece was sent before this process listened, or the others came too late.
    if (!message) return undefined;
    message.parts.push(data);
    if (index === count) {
      begun.delete(id);
      return message.parts.length === Number(count) ? Buffer.concat(message.parts) : undefined;
    }
    begun.set(id, message);
    return undefined;
  };
}

/** Whether a message is a piece of a larger one. */
export function isPiece(mark: MsgHdrs | undefined): mark is MsgHdrs {
  return mark?.has(HEADER) ?? false;
}

function dropOld(begun: Map<string, { since: number }>): void {
  const oldest = Date.now() - PIECES_KEPT_MS;
  for (const [id, { since }] of begun) if (since < oldest) begun.delete(id);
}
