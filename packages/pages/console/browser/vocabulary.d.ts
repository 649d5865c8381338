/** Form in which a value is edited. Null: the console shows the field and does not edit it. */
export type Form = "line" | "text" | "number" | "date" | "choice" | "choices" | "lines" | null;

/** Content of vocabulary.js, which is made of what the server hands over. */
declare const vocabulary: {
  /** Fields as the filter builder offers them. One with options takes no other words. docs/guides/filters.md#fields */
  fields: Record<
    "people" | "companies" | "objects",
    {
      name: string;
      kind: string;
      operators: readonly string[];
      options?: readonly string[];
      form: Form;
      isSorted: boolean;
      isSummed: boolean;
    }[]
  >;
  customFieldTypes: Record<
    string,
    {
      kind: string;
      operators: readonly string[];
      namedBy: string;
      form: Form;
      isSorted: boolean;
      isSummed: boolean;
      /** Whether a record has at most one of the options, so that it stands in one column of a board. */
      isStage: boolean;
    }
  >;
  takesMany: readonly string[];
  eventTypes: string[];
  errorAnchors: Record<string, string>;
};
export default vocabulary;
