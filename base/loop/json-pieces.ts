import { openSlices } from "./slices.ts";

/**
 * JSON text of some members or elements of the object or list at a path, or of that itself when nothing is there yet.
 */
export interface Piece {
  path: (string | number)[];
  text: string;
}

/** Approximate characters of a piece: reading this many holds the event loop for some milliseconds. */
const PIECE_LENGTH = 128 * 1024;

/**
 * Cuts a value into pieces of JSON text, from which `joinPieces` makes it again without holding the event loop for
 * long. Only a text stays whole, however long it is.
 */
export function inPieces(value: unknown): Piece[] {
  const pieces: Piece[] = [];
  const rest = write(value, [], pieces, () => undefined);
  if (rest !== undefined) pieces.push({ path: [], text: rest });
  return pieces;
}

/**
 * The text of a value, or undefined when it was too long and stands in pieces.
 * @param cutParent puts the pieces of what stands around it before its own
 */
function write(value: unknown, path: Piece["path"], pieces: Piece[], cutParent: () => void): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const part = openPart(Array.isArray(value), path, pieces, cutParent);
  for (const [name, member] of Object.entries(value)) {
    const text = write(member, part.pathOf(name), pieces, part.cut);
    if (text !== undefined) part.add(name, text);
  }
  return part.end();
}

/** An object or a list that is being written. It is cut when it is long enough. */
function openPart(isList: boolean, path: Piece["path"], pieces: Piece[], cutParent: () => void) {
  let text = "";
  let isCut = false;
  const whole = () => (isList ? `[${text}]` : `{${text}}`);
  const cut = () => {
    if (isCut && text === "") return;
    if (!isCut) cutParent();
    isCut = true;
    pieces.push({ path, text: whole() });
    text = "";
  };
  return {
    cut,
    pathOf: (name: string) => [...path, isList ? Number(name) : name],
    add(name: string, written: string) {
      if (text !== "") text += ",";
      text += isList ? written : `${JSON.stringify(name)}:${written}`;
      if (text.length > PIECE_LENGTH) cut();
    },
    end() {
      if (!isCut) return whole();
      cut();
      return undefined;
    },
  };
}

/** The value that was cut into these pieces. It is made in slices, between which the event loop serves others. */
export async function joinPieces(pieces: readonly Piece[]): Promise<unknown> {
  const slices = openSlices();
  const root: unknown[] = [];
  for (const { path, text } of pieces) {
    if (slices.isOver()) await slices.next();
    put([0, ...path], root, JSON.parse(text));
  }
  return root[0];
}

/** Puts a part to where it belongs: into what stands at its path, or there itself. */
function put(path: Piece["path"], root: object, part: object): void {
  const last = path.at(-1) ?? 0;
  const parent = path.slice(0, -1).reduce<object>((inner, name) => Reflect.get(inner, name), root);
  const there: unknown = Object.hasOwn(parent, last) ? Reflect.get(parent, last) : undefined;
  if (there === undefined) define(parent, last, part);
  else if (Array.isArray(there)) for (const element of part as unknown[]) there.push(element);
  else for (const [name, member] of Object.entries(part)) define(there as object, name, member);
}

/** A member whatever its name is: to set "__proto__" would change the prototype. */
function define(object: object, name: string | number, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
