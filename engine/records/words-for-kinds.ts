/** Other words for kinds of imports → the kind. */
const WORDS = new Map(
  Object.entries({
    people:
      "contact contacts person persons lead leads customer customers client clients candidate candidates user users",
    companies: "company organisation organisations organization organizations account accounts firm firms",
    interactions:
      "mail mails email emails mailbox message messages calendar calendars event events meeting meetings call calls chat chats",
  }).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

/** The kind of import that a word usually means: `people` for "contacts". Undefined for any other word. */
export function kindMeantBy(word: string): string | undefined {
  return WORDS.get(word.trim().toLowerCase());
}
