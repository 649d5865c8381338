import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";
import type { ReadOptions, RecordKind, Table, TableRow } from "../table.ts";
import { encodingNote, encodingOf } from "../text/encoding.ts";
import { textOf } from "../text/text.ts";
import { cardsOf } from "./cards.ts";
import { unfolded } from "./content-lines.ts";
import { type About, aboutOf, type CardKind, cellsOf, HEADINGS, VCARD_SPLIT } from "./record.ts";

/** Maximum number of columns of a file besides the usual ones; other values are left out. */
const OWN_COLUMNS_MAX = 100;

/**
 * Opens a file of vCards as a table with a row for each card that is about what is imported. All of it is read for its
 * columns.
 * @throws ReadError when no card is
 */
export async function openVcards(input: Input, options: ReadOptions, kind: RecordKind): Promise<Table> {
  if (kind === "objects")
    throw new ReadError(`${input.name} holds vCards, which are people and companies: import those.`);
  const encoding = await encodingOf(unfolded(input), options.encoding);
  await needEncoding(input, encoding.name);
  const { own, counts } = await survey(input, encoding.name, kind);
  const headings = [...HEADINGS[kind], ...own];
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const card of cardsOf(input, encoding.name, onBytes)) {
      if ("refused" in card) yield { ...card, cells: [] };
      else if (aboutOf(card.properties) === kind) {
        const cells = cellsOf(card.properties, kind);
        yield { line: card.line, cells: headings.map((heading) => cellOf(heading, cells.get(heading) ?? [])) };
      }
    }
  }
  return {
    form: "vcard",
    name: input.name,
    headings,
    headingLine: 1,
    bytes: input.bytes,
    notes: [...encodingNote(input.name, encoding), ...passedOver(counts, kind)],
    rows,
    close: input.close,
  };
}

/** @throws ReadError when lines that name no encoding are not in that of the file */
async function needEncoding(input: Input, encoding: string): Promise<void> {
  // UTF-16 is read as text before there are lines.
  if (encoding.startsWith("utf-16")) return;
  for await (const _text of textOf(unfolded(input), encoding)) {
    // Reading it is the test.
  }
}

/** Columns in whose cells several values stand line by line. */
const LISTS = ["Emails", "Phones", "Addresses", "URLs", "Companies", "Categories", "Notes"];

/**
 * Cell for the values of a property. Only the first value counts if a card should have the property once; other values
 * are joined.
 */
function cellOf(heading: string, values: string[]): string {
  if (LISTS.includes(heading)) return values.join(VCARD_SPLIT);
  return HEADINGS.people.includes(heading) ? (values[0] ?? "") : values.join(", ");
}

type Counts = Record<About, number>;

async function survey(input: Input, encoding: string, kind: CardKind): Promise<{ own: string[]; counts: Counts }> {
  const counts: Counts = { people: 0, companies: 0, groups: 0 };
  const usual = new Set([...HEADINGS.people, ...HEADINGS.companies]);
  const own = new Set<string>();
  for await (const card of cardsOf(input, encoding)) {
    if ("refused" in card) continue;
    const about = aboutOf(card.properties);
    counts[about] += 1;
    if (about !== kind) continue;
    for (const heading of cellsOf(card.properties, kind).keys())
      if (!usual.has(heading) && own.size < OWN_COLUMNS_MAX) own.add(heading);
  }
  return { own: [...own], counts };
}

function passedOver(counts: Counts, kind: CardKind): string[] {
  const other = kind === "people" ? "companies" : "people";
  const told = (count: number, what: string) =>
    count === 0 ? [] : [`${count} of the cards ${count === 1 ? "is" : "are"} ${what}.`];
  return [
    ...told(counts[other], `about ${other}: import ${other} takes those`),
    ...told(counts.groups, "about groups of others, and skipped"),
  ];
}
