// Values of records and names of fields as text.

/** The text of a value as answers show it; empty for one that is not set. @param {any} value @returns {string} */
export function textOf(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value !== "object") return String(value);
  return value.label ?? value.fullName ?? value.name ?? value.id ?? JSON.stringify(value);
}

/** A word that is too long for a column. */
const LONG = /\S{33}/;

/**
 * Class of a text that may break anywhere, because a word of it is too long for a column. Other words stay whole.
 * @param {string} text
 */
export function wrapping(text) {
  return LONG.test(text) ? "any" : "";
}

/** The name of a record, or its id. @param {any} record @returns {string} */
export function recordName({ fullName, name, id }) {
  return fullName || name || id;
}

/**
 * The path of a field with the name of its group: `Status (Sales)`.
 * @param {string[]} path @param {(groupId: string) => string | undefined} groupName
 */
export function fieldText([first = "", ...rest], groupName) {
  if (first !== "customFieldValues") return [first, ...rest].join(".");
  const [groupId = "", ...field] = rest;
  // The values of an object belong to its one group, which the path leaves out.
  if (field.length === 0) return groupId;
  return `${field.join(".")} (${groupName(groupId) ?? groupId})`;
}

/** Titles of fields that their names do not give. @type {Record<string, string>} */
const TITLES = {
  createdAt: "Created",
  urls: "URLs",
  "interactionMetadata.workspace.lastInteractedAt": "Last interaction",
  "interactionMetadata.user.lastInteractedAt": "Your last interaction",
};

/** The name of a field as a heading: `Job title`. @param {string} name */
export function titleOf(name) {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return TITLES[name] ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * A number in the format of its field, with all of its digits.
 * @param {string} value @param {{ format?: string, currency?: string, decimals?: number }} [config]
 */
export function numberText(value, { format, currency, decimals } = {}) {
  const places = /\.(\d+)/.exec(value)?.[1]?.length ?? 0;
  const least = decimals ?? (format === "currency" && places > 0 ? 2 : 0);
  const options = {
    ...(currency && { style: /** @type {const} */ ("currency"), currency }),
    minimumFractionDigits: least,
    // A number with more digits than its format is not rounded: this is the value that is kept.
    maximumFractionDigits: Math.min(Math.max(least, places), 100),
  };
  // A text is formatted exactly. A number with 400 digits is one too.
  return new Intl.NumberFormat(undefined, options).format(/** @type {Intl.StringNumericLiteral} */ (value));
}
