import fc from "fast-check";

/** A write of the property, with places in the lists of what is there instead of ids. */
export type Write =
  | { do: "create"; people: Fields[] }
  | { do: "update"; at: number[]; fields: Fields }
  | { do: "delete"; at: number }
  | { do: "merge"; into: number; at: number }
  | { do: "upsert"; email: string; fields: Fields }
  | { do: "company"; name: string }
  | { do: "rename"; at: number; name: string }
  | { do: "deleteCompany"; at: number }
  | { do: "note"; at: number; content: string }
  | { do: "changeNote"; at: number; content: string }
  | { do: "deleteNote"; at: number }
  | { do: "transaction"; at: number; fields: Fields; name: string };

/** Fields of a person. */
export interface Fields {
  jobTitle?: string;
  description?: string;
  emails?: string[];
  /** Places in the list of companies. */
  companies?: number[];
  /** Whether the person is in the group, and its value there. */
  inGroup?: boolean;
  text?: string;
}

const place = fc.nat({ max: 50 });
const word = fc.constantFrom("a", "b", "c", "d", "");
const email = fc.constantFrom("one@x.test", "two@x.test", "three@x.test");
const name = fc.constantFrom("Acme", "Globex", "Initech", "Umbrella", "Hooli");
const fields: fc.Arbitrary<Fields> = fc.record(
  {
    jobTitle: word,
    description: word,
    emails: fc.uniqueArray(email, { maxLength: 2 }),
    companies: fc.uniqueArray(place, { maxLength: 2 }),
    inGroup: fc.boolean(),
    text: word,
  },
  { requiredKeys: [] },
);

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      people: fc.array(fields, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      at: fc.array(place, { minLength: 1, maxLength: 3 }),
      fields,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), at: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("merge" as const), into: place, at: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("upsert" as const), email, fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("company" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rename" as const), at: place, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deleteCompany" as const), at: place }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("note" as const), at: place, content: word.map((text) => `note ${text}`) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("changeNote" as const),
      at: place,
      content: word.map((text) => `note ${text}`),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deleteNote" as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("transaction" as const), at: place, fields, name }) },
);

/** A sequence of writes, each by the first or the second user. */
export const sequences = fc.array(fc.record({ by: fc.constantFrom(0 as const, 1 as const), write }), {
  minLength: 2,
  maxLength: 40,
});

/** Which of the writes are taken back. */
export const undoings = fc.oneof(
  fc.record({ mode: fc.constant("since" as const), from: fc.nat({ max: 39 }) }),
  fc.record({ mode: fc.constant("first" as const), count: fc.nat({ max: 39 }) }),
  fc.record({ mode: fc.constant("user" as const), by: fc.constantFrom(0 as const, 1 as const) }),
);
