import { scientific } from "../../../base/values/decimal.ts";
import { isExactNumber, writtenOf } from "../../../base/values/exact-number.ts";
import { jsonList } from "../../../base/values/json.ts";

/**
 * JSON text that is the same for the same value, whatever the order of its keys and however its numbers are written.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return jsonList(value.map(canonical));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(",")}}`;
  }
  if (typeof value === "number") return scientific(String(value));
  if (isExactNumber(value)) return scientific(writtenOf(value));
  return JSON.stringify(value);
}
