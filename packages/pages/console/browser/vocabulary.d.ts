/** Content of vocabulary.js, which is made of what the server hands over. */
declare const vocabulary: {
  /** Fields as the filter builder offers them. One with options takes no other words. docs/guides/filters.md#fields */
  fields: Record<
    "people" | "companies" | "objects",
    { name: string; kind: string; operators: readonly string[]; options?: readonly string[] }[]
  >;
  customFieldTypes: Record<string, { kind: string; operators: readonly string[]; namedBy: string }>;
  takesMany: readonly string[];
  eventTypes: string[];
  errorAnchors: Record<string, string>;
};
export default vocabulary;
