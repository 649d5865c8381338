import { timestampOf } from "../timestamp.ts";
import type { WallMs } from "../wall-time.ts";
import type { WrittenDate } from "./line.ts";

/** Orders of day, month and year. A year of four digits in front needs no detection. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Finds the order of day and month from all dates of a chat. */
export interface OrderFinder {
  see(date: WrittenDate): void;
  /**
   * Null if the order is not clear: both orders have the same number of impossible dates, and the chat runs forward in
   * both or in neither.
   */
  order(): DateOrder | null;
}

interface Tried {
  order: DateOrder;
  impossible: number;
  /** Number of dates that are before the date in front of them. */
  stepsBack: number;
  last: WallMs;
}

export function createOrderFinder(): OrderFinder {
  const tried = (["dmy", "mdy"] as const).map(
    (order): Tried => ({ order, impossible: 0, stepsBack: 0, last: Number.NEGATIVE_INFINITY }),
  );
  let differs = false;
  let hasDots = false;

  function see(date: WrittenDate): void {
    if (date.numbers[0].length === 4) return;
    hasDots ||= date.sign === ".";
    differs ||= Number(date.numbers[0]) !== Number(date.numbers[1]);
    for (const one of tried) {
      const day = dayOf(date, one.order);
      if (day === null) one.impossible += 1;
      else if (day < one.last) one.stepsBack += 1;
      one.last = day ?? one.last;
    }
  }

  function order(): DateOrder | null {
    const least = Math.min(...tried.map(({ impossible }) => impossible));
    const likely = tried.filter(({ impossible }) => impossible === least);
    const forward = likely.filter(({ stepsBack }) => stepsBack === 0);
    const [found, second] = likely.length === 1 ? likely : forward;
    if (found && !second) return found.order;
    // Dates with dots never have the month first, and where day and month are equal the order does not matter.
    return hasDots || !differs ? "dmy" : null;
  }

  return { see, order };
}

/** Years of the Buddhist calendar, which telephones in Thailand show, are 543 ahead. */
const BUDDHIST_YEAR_MIN = 2400;
const BUDDHIST_YEARS_AHEAD = 543;

/** Chats begin in this year. An earlier year belongs to another calendar, such as the Persian one. */
const FIRST_YEAR = 2000;

/**
 * Midnight of a day as it is written, null for a day that does not exist or is in another calendar. Years of two digits
 * are those from 2000 on.
 */
export function dayOf({ numbers }: WrittenDate, order: DateOrder): WallMs | null {
  const [first, second, third] = numbers;
  const [year, month, day] = partsIn(numbers[0].length === 4 ? "ymd" : order, [first, second, third]);
  const told = Number(year);
  if (told >= 100 && told < FIRST_YEAR) return null;
  const common = told >= BUDDHIST_YEAR_MIN ? String(told - BUDDHIST_YEARS_AHEAD) : year;
  const date = `${common.padStart(4, "2000")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = timestampOf(date, "00:00:00.000");
  return midnight === null ? null : Date.parse(midnight);
}

type Three = [string, string, string];

function partsIn(order: DateOrder, [first, second, third]: Three): Three {
  const parts: Record<DateOrder, Three> = {
    dmy: [third, second, first],
    mdy: [third, first, second],
    ymd: [first, second, third],
  };
  return parts[order];
}
