import { headers, type MsgHdrs } from "nats";

/**
 * The header of a piece of a message: the id of the message, the number of the piece from 1, and how many pieces there
 * are. NATS refuses messages above its max_payload, which is 1 MiB by default, so a large answer would fail after its
 * action has run and committed. The messages of one sender arrive in their order, so pieces need no sorting.
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

/**
 * Cuts a message into pieces, without copying it.
 * @param messageBytesMax the largest message that NATS takes
 * @param id distinguishes the pieces of this message from those of all others
 */
export function cutIntoPieces(data: Buffer, messageBytesMax: number, id: string): Piece[] {
  const size = messageBytesMax - HEADER_BYTES_MAX;
  const count = Math.ceil(data.length / size);
  return Array.from({ length: count }, (_, index) => {
    const mark = headers();
    mark.set(HEADER, `${id} ${index + 1} ${count}`);
    return { data: data.subarray(index * size, (index + 1) * size), headers: mark };
  });
}

/**
 * Gives a function that puts pieces together again. It gives the message when its last piece comes, and undefined
 * before.
 */
export function openAssembly() {
  const begun = new Map<string, { parts: Buffer[]; since: number }>();
  return (data: Buffer, mark: MsgHdrs): Buffer | undefined => {
    const [id = "", index, count] = mark.get(HEADER).split(" ");
    dropOld(begun);
    const message = index === "1" ? { parts: [], since: Date.now() } : begun.get(id);
    // Without its first piece a message never becomes whole. That one was sent before this process listened, or was
    // dropped because the others came too late.
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
