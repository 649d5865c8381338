/** The name of a custom field in filters. docs/guides/filters.md#custom-fields */
export type CustomFieldName = `customFieldValues.${string}`;

/** Name of a custom field in filters of objects. */
export function customField(name: string): CustomFieldName;
/** Name of a custom field of a group in filters of people and companies. */
export function customField(groupId: string, name: string): CustomFieldName;
export function customField(...path: string[]): CustomFieldName {
  return `customFieldValues.${path.join(".")}`;
}
