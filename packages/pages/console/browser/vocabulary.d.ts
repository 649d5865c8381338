/** Content of vocabulary.js, which the server writes (packages/pages/console/vocabulary.ts). */
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
