import { ReadError } from "../../read-error.ts";
import { linesOf } from "../lines.ts";
import type { Source } from "../source.ts";
import { createOrderFinder, type DateOrder } from "./date-order.ts";
import { messageLine } from "./line.ts";
import { nameKey } from "./people.ts";
import { isAttachment, type Sender } from "./system-messages.ts";

/** The longest message has 65,536 characters, of up to three bytes. */
export const CHAT_LINE_BYTES_MAX = 512 * 1024;
/** Groups have at most 1,024 members. */
const SENDERS_MAX = 10_000;

/** Facts about a whole chat. */
export interface Survey {
  order: DateOrder;
  /** Everybody who writes, by name. The name as it stands in the chat is the first of its spellings. */
  senders: Map<string, Sender & { name: string }>;
}

/**
 * Reads a chat once to find the order of its dates and the people who write in it. `asked` is the order that the user
 * gave.
 * @throws ReadError if the order is not clear
 */
export async function surveyOf(
  source: Source,
  asked: DateOrder | undefined,
  onBytes?: (bytes: number) => void,
): Promise<Survey> {
  const finder = createOrderFinder();
  const senders: Survey["senders"] = new Map();
  for await (const { number, bytes } of linesOf(source.pieces(onBytes), CHAT_LINE_BYTES_MAX)) {
    const line = messageLine(bytes.toString("utf8"));
    if (!line) continue;
    finder.see(line.date);
    if (line.sender === null) continue;
    const key = nameKey(line.sender);
    const sender = senders.get(key) ?? { name: line.sender, line: number, messages: 0, isOnlyMarked: true };
    sender.messages += 1;
    sender.isOnlyMarked &&= line.isMarked && !isAttachment(line);
    senders.set(key, sender);
    if (senders.size > SENDERS_MAX)
      throw new ReadError(`${source.name} has more than ${SENDERS_MAX} people: it is not a chat.`);
  }
  const order = asked ?? finder.order();
  if (order) return { order, senders };
  throw new ReadError(
    `${source.name}: its dates do not show whether the day or the month comes first. Choose with --dates dmy or --dates mdy.`,
  );
}
