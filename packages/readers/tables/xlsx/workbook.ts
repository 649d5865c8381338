import { posix } from "node:path";
import { type Archive, broken } from "./archive.ts";
import { hearAll } from "./xml.ts";

/** A sheet with cells. */
export interface Sheet {
  name: string;
  /** The part of the archive that it stands in. */
  part: string;
  isHidden: boolean;
}

export interface Workbook {
  sheets: Sheet[];
  /** Whether days are counted from 1904, as old programs for the Macintosh did. */
  isFrom1904: boolean;
  /** The parts with texts and formats; undefined where the workbook has none. */
  strings: string | undefined;
  styles: string | undefined;
}

/** Lists of sheets and formats are small, even of the largest workbooks. */
export const SMALL_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Parts of a workbook.
 * @throws ReadError if the archive is not a workbook
 */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const main = await mainPart(archive);
  const relations = await relationsOf(archive, main);
  const target = (type: string) => relations.find((relation) => relation.type === type)?.part;
  const parts = new Map(relations.flatMap(({ id, type, part }) => (type === "worksheet" ? [[id, part]] : [])));
  const workbook: Workbook = {
    sheets: [],
    isFrom1904: false,
    strings: target("sharedStrings"),
    styles: target("styles"),
  };
  const open = (name: string, attributes: Record<string, string>) => {
    if (name === "workbookPr") workbook.isFrom1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
    if (name !== "sheet") return;
    const id = Object.entries(attributes).find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1];
    const part = parts.get(id ?? "");
    const isHidden = attributes.state !== undefined && attributes.state !== "visible";
    if (part !== undefined) workbook.sheets.push({ name: attributes.name ?? "", part, isHidden });
  };
  await hearAll(archive, main, { open }, SMALL_BYTES_MAX);
  if (workbook.sheets.length === 0) throw broken(archive, "it has no sheet with cells");
  return workbook;
}

async function mainPart(archive: Archive): Promise<string> {
  const relations = await relationsOf(archive, "");
  const main = relations.find(({ type }) => type === "officeDocument")?.part ?? "xl/workbook.xml";
  if (main.endsWith(".bin")) throw broken(archive, "it is of the binary kind (.xlsb)");
  if (archive.bytesOf(main) === undefined || !main.startsWith("xl/")) throw broken(archive, "it is not a workbook");
  return main;
}

interface Relation {
  id: string;
  /** The last word of its URI. */
  type: string;
  part: string;
}

async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  const open = (name: string, { Id = "", Type = "", Target = "" }: Record<string, string>) => {
    if (name !== "Relationship") return;
    const target = Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target);
    relations.push({ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), part: target });
  };
  if (archive.bytesOf(file) !== undefined) await hearAll(archive, file, { open }, SMALL_BYTES_MAX);
  return relations;
}
