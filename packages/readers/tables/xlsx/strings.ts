import { type Archive, broken } from "./archive.ts";
import { listen } from "./xml.ts";

/** All texts of a workbook that stand in cells are kept, because cells name them by number in any order. */
const TEXTS_LENGTH_MAX = 512 * 1024 * 1024;
/**
 * Characters that each text counts in addition: a text takes memory beside its letters, and even an empty one takes
 * time.
 */
const TEXT_COST = 64;
/** Excel keeps 32,767 characters in a cell. */
const CELL_LENGTH_MAX = 1024 * 1024;

/**
 * The texts of a workbook, by their numbers.
 * @throws ReadError when there are too many to be kept
 */
export async function readStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined || archive.bytesOf(part) === undefined) return texts;
  const text = createText(archive);
  let length = 0;
  const listener = {
    ...text.listener,
    close(name: string) {
      text.listener.close(name);
      if (name !== "si") return;
      const taken = text.take();
      length += taken.length + TEXT_COST;
      texts.push(taken);
    },
  };
  for await (const _piece of listen(archive, part, listener)) {
    if (length > TEXTS_LENGTH_MAX) throw broken(archive, "it has too many different texts");
  }
  return texts;
}

/**
 * The text of a cell with a further piece.
 * @throws ReadError when no cell can hold it
 */
export function longer(archive: Archive, gathered: string, text: string): string {
  if (gathered.length + text.length > CELL_LENGTH_MAX) throw broken(archive, "it has a text that no cell can hold");
  return gathered + text;
}

/** Gathers the text of a cell, which may be in runs of different fonts. How it is pronounced is no part of it. */
export function createText(archive: Archive): {
  listener: { open(name: string): void; text(text: string): void; close(name: string): void };
  take(): string;
} {
  let gathered = "";
  let isText = false;
  let isPronunciation = false;
  return {
    listener: {
      open(name) {
        if (name === "t") isText = !isPronunciation;
        if (name === "rPh") isPronunciation = true;
      },
      text(text) {
        if (isText) gathered = longer(archive, gathered, text);
      },
      close(name) {
        if (name === "t") isText = false;
        if (name === "rPh") isPronunciation = false;
      },
    },
    take() {
      const text = withoutEscapes(gathered);
      gathered = "";
      return text;
    },
  };
}

/** Excel writes characters that XML cannot hold as `_x000D_`. */
export function withoutEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
