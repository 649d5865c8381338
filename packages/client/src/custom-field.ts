/** The name of a custom field in filters. docs/guides/filters.md#custom-fields */
export type CustomFieldName = `customFieldValues.${string}`;

/** The name by which filters of objects know a custom field. */
export function customField(name: string): CustomFieldName;
/** The name by which filters of people and companies know a custom field of a group. */
export function customField(groupId: string, name: string): CustomFieldName;
export function customField(...path: string[]): CustomFieldName {
  return `customFieldValues.${path.join(".")}`;
}
