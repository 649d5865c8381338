import type { Packet } from "moleculer";

type Request = Packet.PacketRequestPayload;
type Response = Packet.PacketResponsePayload & { headers?: object };
export type Payload = Request | Response;

/** A call or an answer as it travels in a bundle. */
export interface Entry {
  /** JSON of the payload. */
  head: string;
  /** Text of the result, which stands beside the JSON; empty when there is none. */
  text: string;
  /** Id of a call; undefined for an answer. */
  call?: string;
}

/** The text beside a head: its length in bytes, and the member of `data` that it is, without which it is `data`. */
interface Beside {
  bytes: number;
  member?: string;
}

/** Values that all entries of a bundle share, and the heads of the entries in the order in which they were sent. */
interface Heads {
  ver: string;
  sender: string;
  heads: (Payload & { beside?: Beside })[];
}

/** The form of bundles that this release reads. A node announces it in the metadata of its INFO. */
export const BUNDLES = 1;
/** The first byte of a bundle. A single packet begins with the `{` of its JSON. */
const MARK = 2;
/** The mark, and the length of the heads. */
const PREFIX_BYTES = 5;
/** A shorter text costs less in the JSON than beside it. */
const BESIDE_LENGTH_MIN = 128;

/** Whether a node with these metadata reads bundles. docs/guides/upgrading.md#several-processes */
export function readsBundles(metadata: { bundles?: unknown } | null | undefined): boolean {
  return metadata?.bundles === BUNDLES;
}

/** A call as an entry of a bundle, as it is at this moment. */
export function entryOfRequest(payload: Request): Entry {
  const { id, action, params, meta, headers, timeout, level, tracing, parentID, requestID, caller } = payload;
  const said = {
    ...(headers && { headers }),
    ...(tracing && { tracing }),
    ...(parentID && { parentID }),
    ...(caller && { caller }),
  };
  return { head: JSON.stringify({ id, action, params, meta, timeout, level, requestID, ...said }), text: "", call: id };
}

/**
 * An answer as an entry of a bundle. The metadata of its call do not go back. The text of the result stands beside the
 * JSON: it is itself the JSON of a record or of the items of a list, and would be escaped here and unescaped there.
 */
export function entryOfResponse({ id, success, data, error, headers }: Response): Entry {
  const said = { id, success, ...(error && { error }), ...(headers && { headers }) };
  const [member, text] = textOf(data);
  if (text === "") return { head: JSON.stringify({ ...said, data }), text };
  const beside: Beside = { bytes: Buffer.byteLength(text), ...(member !== undefined && { member }) };
  const rest = member === undefined ? undefined : { ...data, [member]: "" };
  return { head: JSON.stringify({ ...said, data: rest, beside }), text };
}

/** A text that can stand beside a result, and the member that it is; without one it is the result. */
function textOf(data: unknown): [member: string | undefined, text: string] {
  if (isLong(data)) return [undefined, data];
  if (!isPlainObject(data)) return [undefined, ""];
  for (const member in data) {
    const text: unknown = Reflect.get(data, member);
    if (isLong(text)) return [member, text];
  }
  return [undefined, ""];
}

/** Whether a value is an object without a form of its own in JSON. */
function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Half of a surrogate pair would be lost in UTF-8, and is escaped in JSON. */
function isLong(text: unknown): text is string {
  return typeof text === "string" && text.length >= BESIDE_LENGTH_MIN && text.isWellFormed();
}

/**
 * The bytes of a bundle.
 * @param ver version of the protocol, and `sender`, the node: Moleculer writes them into each single packet
 */
export function writeBundle(ver: string, sender: string, entries: Entry[]): Buffer {
  const shared = `"ver":${JSON.stringify(ver)},"sender":${JSON.stringify(sender)}`;
  const heads = `{${shared},"heads":[${entries.map(({ head }) => head).join(",")}]}`;
  const headsBytes = Buffer.byteLength(heads);
  const bytes = entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), PREFIX_BYTES + headsBytes);
  const bundle = Buffer.allocUnsafe(bytes);
  bundle[0] = MARK;
  bundle.writeUInt32BE(headsBytes, 1);
  let at = PREFIX_BYTES + bundle.write(heads, PREFIX_BYTES);
  for (const { text } of entries) if (text !== "") at += bundle.write(text, at);
  return bundle;
}

/** Whether an opened message is a bundle. */
export function isBundle(message: Buffer): boolean {
  return message[0] === MARK;
}

/**
 * The payloads of a bundle, in the order in which they were sent.
 * @throws SyntaxError when it is none
 */
export function readBundle(bundle: Buffer): Payload[] {
  let at = PREFIX_BYTES + bundle.readUInt32BE(1);
  const { ver, sender, heads }: Heads = JSON.parse(bundle.toString("utf8", PREFIX_BYTES, at));
  for (const head of heads) {
    Object.assign(head, { ver, sender });
    if (!head.beside) continue;
    const { bytes, member } = head.beside;
    const text = bundle.toString("utf8", at, at + bytes);
    at += bytes;
    if (member === undefined) Reflect.set(head, "data", text);
    else Object.assign((head as Response).data ?? {}, { [member]: text });
  }
  return heads;
}
