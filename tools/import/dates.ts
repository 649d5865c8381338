import { quoted } from "contact-workspace-readers/cell-text";
import { DAY_ORDERS, type DayOrder, readDate } from "../../base/values/written-date.ts";
import { CommandError } from "../terminal/admin.ts";
import type { Column } from "./columns.ts";

/** A date that does not show the order of day and month: each order makes another day of it. */
export interface Sample {
  text: string;
  line: number;
  readings: Record<DayOrder, string | null>;
}

/** Finds the order of day and month from the dates of a column. docs/guides/import-columns.md#dates */
export interface DateColumn {
  see(text: string, line: number): void;
  /** Undefined if the order does not matter; a sample if the order is not clear, or if both orders occur. */
  order(): DayOrder | Sample | undefined;
}

export function createDateColumn(): DateColumn {
  const only: Record<DayOrder, Sample | undefined> = { dmy: undefined, mdy: undefined };
  let either: Sample | undefined;
  return {
    see(text, line) {
      const readings = readDate(text);
      if (readings === null || typeof readings === "string" || readings.dmy === readings.mdy) return;
      const sample = { text, line, readings };
      if (readings.mdy === null) only.dmy ??= sample;
      else if (readings.dmy === null) only.mdy ??= sample;
      else either ??= sample;
    },
    order() {
      const possible = DAY_ORDERS.filter((order) => only[order]);
      const [order, second] = possible;
      if (order && !second) return order;
      return (order && only[order]) ?? either;
    },
  };
}

/** The order of the dates of each column where it counts, as it was found or asked for. */
export type DateOrders = Map<Column, DayOrder>;

/**
 * Decides the order of every column of dates. If the dates of a column do not show it, `asked` counts, and without it
 * `ask`, which stands for a question at a terminal.
 * @throws CommandError that names file, column and sample if the order is not clear and there is no terminal to ask at
 */
export async function decideOrders(
  file: string,
  found: Map<Column, DateColumn>,
  asked: DayOrder | undefined,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<DateOrders> {
  const orders: DateOrders = new Map();
  for (const [column, dates] of found) {
    const order = dates.order();
    if (typeof order === "string") orders.set(column, order);
    else if (order) orders.set(column, asked ?? (await askFor(file, column, order, ask)));
  }
  return orders;
}

async function askFor(
  file: string,
  { heading }: Column,
  { text, line, readings: { dmy, mdy } }: Sample,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<DayOrder> {
  const both =
    dmy !== null && mdy !== null
      ? `${quoted(text)} in line ${line} is ${dmy} with the day first, ${mdy} with the month first`
      : `${quoted(text)} in line ${line} has the ${dmy === null ? "month" : "day"} first, other dates of the column the other`;
  const answer = await ask?.(`${heading}: ${both}. Which one, dmy or mdy? `);
  const order = DAY_ORDERS.find((one) => one === answer?.trim().toLowerCase());
  if (order) return order;
  throw new CommandError(
    `${file}: in the column ${quoted(heading)} the dates do not show whether the day or the month comes first: ${both}. Choose with --dates dmy or --dates mdy. Nothing was written.`,
  );
}

const HOW = "write it like 2026-03-01";

/**
 * The day that a cell says, YYYY-MM-DD, or why it says none; neither of a date of zeros.
 * @param latest a year of two digits counts as a hundred years earlier when the date would be after this day
 */
export function dayIn(text: string, order: DayOrder, latest: string | undefined): { value?: string; fault?: string } {
  const readings = readDate(text, { compact: true, ...(latest !== undefined && { latest }) });
  if (readings === "empty") return {};
  if (readings === "no year" || readings === "no day") return { fault: `${quoted(text)} has ${readings}: ${HOW}` };
  const day = readings?.[order] ?? null;
  if (day !== null) return { value: day };
  const inOrder = readings ? ` with the ${order === "dmy" ? "day" : "month"} first` : "";
  return { fault: `${quoted(text)} is not a date${inOrder}: ${HOW}` };
}

const YEAR = /^(?<year>\d{4})(?:[.,]0+)?$/;
const YEAR_OF_MONTH = /(?<!\d)(?<year>\d{4})(?!\d)/;

/** The year that a cell says, also as a number with a point or as a date, or why it says none. */
export function yearIn(text: string): { value?: string; fault?: string } {
  const plain = YEAR.exec(text)?.groups?.year;
  if (plain !== undefined) return { value: plain };
  const readings = readDate(text);
  if (readings === "empty") return {};
  if (readings === "no day") return { value: YEAR_OF_MONTH.exec(text)?.groups?.year ?? text };
  const day = typeof readings === "object" ? (readings?.dmy ?? readings?.mdy) : null;
  if (day) return { value: day.slice(0, 4) };
  return { fault: `${quoted(text)} is not a year: write it with four digits like 1998` };
}
