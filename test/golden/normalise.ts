const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?/g;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Where the clock of clock.mjs begins. */
const BEGUN = Date.parse("2026-06-01T00:00:00Z");

const isNear = (time: number, of: number) => Math.abs(time - of) < 2 * DAY_MS;

/** A text without what differs from run to run. The same id gets the same number, in the order of appearance. */
export function normaliser(): (text: string) => string {
  const numbers = new Map<string, string>();
  const number = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, `#${numbers.size + 1}`);
    return numbers.get(id) ?? "";
  };
  const isNow = (time: number) => isNear(time, Date.now()) || isNear(time, BEGUN);
  return (text) =>
    text
      .replace(UUID, number)
      .replace(/cwk_[A-Za-z0-9_-]{8,}/g, (key) => `cwk_${number(key)}`)
      .replace(/whsec_[A-Za-z0-9+/=_-]+/g, "whsec_…")
      .replace(TIME, (written) => (written.length > 10 && isNow(Date.parse(written)) ? "<now>" : written))
      .replace(/\b1[78]\d{11}\b/g, (ms) => (isNow(Number(ms)) ? "<now-ms>" : ms))
      .replace(/(?:127\.0\.0\.1|localhost):\d{2,5}/g, "HOST:PORT");
}
