/** The year by which Apple's programs say that there is none. */
const NO_YEAR = "1604";

/**
 * A date of a card as YYYY-MM-DD, or as --MM-DD where it has no year; a time behind it is left out. What is written in another way
 * stays as it is.
 */
export function dateOf(value: string, params: Map<string, string> = new Map()): string {
  const { year, month, day } =
    /^(?<year>\d{4}|--)-?(?<month>\d{2})-?(?<day>\d{2})(?:[T ].*)?$/.exec(value.trim())?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined) return value;
  const hasYear = year !== "--" && year !== (params.get("X-APPLE-OMIT-YEAR") ?? NO_YEAR);
  return `${hasYear ? `${year}-` : "--"}${month}-${day}`;
}
