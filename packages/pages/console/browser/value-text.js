// Values of records and names of fields as text.

/** The text of a value as answers show it; empty for one that is not set. @param {any} value @returns {string} */
export function textOf(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value !== "object") return String(value);
  return value.label ?? value.fullName ?? value.name ?? value.id ?? JSON.stringify(value);
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
