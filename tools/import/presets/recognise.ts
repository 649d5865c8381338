import { basename } from "node:path";
import type { ImportKind } from "../headings.ts";
import { airtable } from "./airtable.ts";
import { folk } from "./folk.ts";
import { google } from "./google.ts";
import { hubspot } from "./hubspot.ts";
import { linkedin } from "./linkedin.ts";
import { notion } from "./notion.ts";
import { outlook } from "./outlook.ts";
import { outlookGerman } from "./outlook-german.ts";
import type { Preset } from "./preset.ts";
import { vcard } from "./vcard.ts";

/** The first one that a file is recognised as counts: those with more unusual headings come first. */
const PRESETS: Preset[] = [google, linkedin, hubspot, outlook, outlookGerman, vcard, folk, notion, airtable];

/** What is looked at of a file. */
export interface Looked {
  /** Its path or name. */
  name: string;
  headings: string[];
  /** Its first rows. */
  rows: string[][];
}

/** The program that wrote a file, as far as it can be told. */
export function recognise(kind: ImportKind, looked: Looked): Preset | undefined {
  const headings = new Set(looked.headings.flatMap((heading) => [heading.trim(), heading.trim().replace(/\d+/, "#")]));
  return PRESETS.find(
    (preset) =>
      preset.columns[kind] !== undefined &&
      (preset.signs.some((sign) => sign.every((heading) => headings.has(heading))) || isByCells(preset, looked)),
  );
}

function isByCells({ cellSign, fileSign }: Preset, { name, rows }: Looked): boolean {
  if (fileSign?.test(basename(name))) return true;
  return cellSign !== undefined && rows.some((cells) => cells.some((cell) => cellSign.test(cell)));
}
