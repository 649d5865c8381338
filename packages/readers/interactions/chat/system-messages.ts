import type { MessageLine } from "./line.ts";

/** Texts that phones write in place of a message that was deleted or is missing. */
const INSTEAD = ["this message was deleted", "you deleted this message", "null"];
/**
 * System messages that iPhones write under the name of a person or of the group. Fewer of them are known in languages
 * other than English.
 */
const OWN_WORDS =
  /end-to-end encrypted|security code|created (?:this |the )?group|changed (?:the|this|their|to)|joined (?:using|from)|\badded\b|\bremoved\b|\bleft\b|missed (?:voice|video) call|disappearing messages|pinned a message/i;
const ATTACHMENT = /<[^<>]*>|omitted|attached/i;

/** Number of times that a sender writes each text, over a whole chat. */
export interface Sender {
  /** Line of the first message. */
  line: number;
  messages: number;
  /** Whether all of it could be written by the telephone. */
  isOnlyMarked: boolean;
}

export function isAttachment({ text }: MessageLine): boolean {
  return ATTACHMENT.test(text);
}

/** Whether a line is a message of the telephone and not of a person. */
export function isSystemMessage(line: MessageLine, sender: Sender | undefined): boolean {
  if (line.sender === null || INSTEAD.includes(line.text.trim().replace(/\.$/, "").toLowerCase())) return true;
  return line.isMarked && !isAttachment(line) && (sender?.isOnlyMarked === true || OWN_WORDS.test(line.text));
}
