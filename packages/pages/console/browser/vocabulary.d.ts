/** Content of vocabulary.js, which is made of what the server hands over. */
declare const vocabulary: {
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
