// Finds sections of the guides, operations and errors for words that a reader types. search.js draws the results.

/** Words that say nothing about the subject. A query of nothing else keeps them. */
const STOP_WORDS = new Set(
  "a about all an and any are as at be by can do does for from get have how i if in is it me my of on or our the there this to use using want what when where which who why will with without you your".split(
    " ",
  ),
);

/** Words that mean the same to a reader: each of a line finds what has one of the others. */
const SAME = [
  "sort order orderby sorting",
  "bulk batch mass many",
  "tag tags label multipleSelect",
  "timezone zone tz",
  "count counting total number",
  "delete remove erase",
  "update upgrade upgrading updating",
  "upload file photo picture image avatar attachment",
  "undo revert rollback restore",
  "password passphrase login",
  "token key apikey",
  "auth authentication authorization 401 unauthorized",
  "webhook webhooks callback",
  "hide mask anonymize",
  "ip address",
  "sse stream realtime live",
  "mail email e-mail mails",
  "contact person people",
  "organization organisation company",
  "sum average aggregate",
  "deal opportunity object",
  "todo task",
  "duplicate duplicates dedupe merge merging",
  "gdpr privacy erase",
  "csv spreadsheet excel xlsx",
  "env environment variable setting settings",
  "throttle ratelimit 429",
  "retry again repeat resend",
  "docker container compose",
  "kubernetes k8s helm",
  "postgres postgresql database",
  "sso oauth oidc saml",
  "pagination page pages paging paginate",
].map((line) => line.toLowerCase().split(" "));

/** The word, and then those that mean the same. */
function synonymsOf(word) {
  return [...new Set([word, ...SAME.filter((words) => words.includes(word)).flat()])];
}

/** Weight of a synonym beside the word that was typed. */
const SYNONYM_WEIGHT = 0.7;

/** The finder of a list of sections. */
export function createFinder(MiniSearch, sections) {
  const index = new MiniSearch({
    fields: ["heading", "chapter", "prose", "code"],
    tokenize: wordsOf,
    processTerm: singular,
    searchOptions: { boost: { heading: 6, chapter: 2, prose: 1.5 } },
  });
  // The text before the first heading of a chapter is found by the name of the chapter.
  index.addAll(sections.map((section, id) => ({ ...section, id, heading: section.heading ?? section.chapter })));

  /**
   * The sections that have all words, best first; if no section has all of them, the sections that have most of them.
   * @param {string} text as the reader typed it
   * @returns {{ id: number, terms: string[], hasAll: boolean }[]}
   */
  return (text) => {
    const words = wordsOf(text);
    const meant = words.filter((word) => !STOP_WORDS.has(word));
    const queries = (meant.length > 0 ? meant : words).map(queryOf);
    if (queries.length === 0) return [];
    const boostDocument = (id) => sections[id].weight ?? 1;
    const find = (combineWith) => index.search({ combineWith, queries }, { boostDocument });
    const all = find("AND");
    const hasAll = all.length > 0;
    return (hasAll ? all : find("OR")).map(({ id, terms }) => ({ id, terms, hasAll }));
  };
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** "webhooks" and "webhook" are one word. */
function singular(word) {
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/**
 * A query for one word: as it is typed, its beginning, one wrong letter in a longer word, and words of the same
 * meaning.
 */
function queryOf(word) {
  const [typed, ...others] = synonymsOf(word);
  return {
    combineWith: "OR",
    queries: [
      {
        queries: [typed],
        prefix: typed.length > 1,
        fuzzy: typed.length > 4 ? 1 : false,
        weights: { fuzzy: 0.3, prefix: 0.6 },
      },
      ...others.map((other) => ({ queries: [other], boostTerm: () => SYNONYM_WEIGHT })),
    ],
  };
}
