const DASH = 45;
/** Length of the beginning of a head that is kept: enough to recognize its content. */
const HEAD_LENGTH_MAX = 16 * 1024;

const IS_BASE64 = /^content-transfer-encoding:\s*"?base64\b/im;
const IS_ATTACHMENT = /^content-disposition:\s*attachment\b/im;
const TYPE = /^content-type:\s*(?<type>[a-z]+)\//im;
/** Types of the parts that the text of an email can consist of. */
const TEXTUAL = ["text", "multipart", "message"];

/**
 * Tells of each line of a mail, in order, whether it is kept. The contents of attachments are not: they may have
 * gigabytes, and no interaction has them. Only what is encoded in base64 is dropped, up to the next line that begins
 * with two dashes. Such a line ends the part, because base64 has no dashes, so no boundary is missed whatever the
 * boundaries are.
 */
export function createAttachmentFilter(): (line: Buffer) => boolean {
  let head: string | null = "";
  let isDropping = false;
  return (line) => {
    const isDashed = line[0] === DASH && line[1] === DASH;
    if (isDropping && !isDashed) return false;
    if (isDashed) {
      isDropping = false;
      head = "";
    } else if (head !== null && line.length === 0) {
      isDropping = isAttachment(head);
      head = null;
    } else if (head !== null && head.length < HEAD_LENGTH_MAX) {
      head = extended(head, line);
    }
    return true;
  };
}

/** A line that begins with a blank goes on with the line before. */
function extended(head: string, line: Buffer): string {
  const text = line.toString("latin1", 0, HEAD_LENGTH_MAX);
  return /^[ \t]/.test(text) ? head + text : `${head}\n${text}`;
}

function isAttachment(head: string): boolean {
  if (!IS_BASE64.test(head)) return false;
  const type = TYPE.exec(head)?.groups?.type ?? "text";
  return IS_ATTACHMENT.test(head) || !TEXTUAL.includes(type.toLowerCase());
}
