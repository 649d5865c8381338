import type { Item } from "../support/client.ts";

// The rules of duplicates once more, said as simply as the names and addresses of a test allow.
// docs/guides/duplicates.md#what-counts

/** A person as lists show it. */
export interface ListedPerson extends Item {
  fullName: string;
  emails: string[];
  phones: string[];
  urls: string[];
  companies: { id: string }[];
}

const LISTS = ["emails", "phones", "urls"] as const;
type List = (typeof LISTS)[number];

const FORMS: Record<List, (text: string) => string> = {
  emails: (text) => text.toLowerCase(),
  phones: (text) => text.replaceAll(/\D/g, "").replace(/^00/, ""),
  urls: (text) => text.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, ""),
};
const SHARERS_MAX = 20;

function formsOf(person: ListedPerson, list: List): string[] {
  const forms = [...new Set(person[list].map(FORMS[list]))];
  return list === "urls" ? forms.filter((form) => form.includes("/")) : forms;
}

function wordsOf(name: string): string[] {
  return (
    name
      .toLowerCase()
      .replaceAll("é", "e")
      .match(/[a-z]+/g) ?? []
  ).toSorted();
}

/** One letter other, or two neighbours swapped: the slips among the names of the test. */
function isSlip(a = "", b = ""): boolean {
  const differ = [...a].flatMap((letter, place) => (letter === b[place] ? [] : [place]));
  const [i = 0, j = 0] = differ;
  if (a.length !== b.length || differ.length > 2) return false;
  return differ.length === 1 || (j === i + 1 && a[i] === b[j] && a[j] === b[i]);
}

function nameReason(a: ListedPerson, b: ListedPerson): "" | "fullName same" | "fullName similar" {
  const [one, other] = [wordsOf(a.fullName), wordsOf(b.fullName)];
  if (one.join() === other.join()) return "fullName same";
  const [left, right] = [one.filter((word) => !other.includes(word)), other.filter((word) => !one.includes(word))];
  if (left.length !== 1 || right.length !== 1 || one.join("").length < 6) return "";
  return isSlip(left[0], right[0]) ? "fullName similar" : "";
}

/** The two of a pair, and the forms that too many people have. */
interface Compared {
  a: ListedPerson;
  b: ListedPerson;
  isMute(list: List, form: string): boolean;
}

function shared({ a, b }: Compared, list: List): string[] {
  return formsOf(a, list).filter((form) => formsOf(b, list).includes(form));
}

function shareDomain(compared: Compared): boolean {
  const mute = shared(compared, "emails").filter((form) => compared.isMute("emails", form));
  const [one, other] = [compared.a, compared.b].map((person) => {
    const speaking = formsOf(person, "emails").filter((form) => !mute.includes(form));
    return speaking.map((form) => form.split("@")[1]).filter((domain) => domain !== "gmail.com");
  });
  return one?.some((domain) => other?.includes(domain)) === true;
}

function reasonsOf(compared: Compared): string[] {
  const { a, b, isMute } = compared;
  const same = LISTS.filter((list) => shared(compared, list).some((form) => !isMute(list, form)));
  const name = nameReason(a, b);
  const hasCompany = a.companies.some(({ id }) => b.companies.some((company) => company.id === id));
  const hasDomain = !same.includes("emails") && shareDomain(compared);
  const isByName = name === "fullName same" ? hasCompany || hasDomain : name !== "" && hasCompany;
  if (same.length === 0 && !isByName) return [];
  const [companies, domain] = [hasCompany ? ["companies same"] : [], hasDomain ? ["emails similar"] : []];
  return [...same.map((list) => `${list} same`), ...(name === "" ? [] : [name]), ...companies, ...domain];
}

/** All pairs among people, as `per_… per_…: emails same, fullName same`, found by comparing all with all. */
export function pairsAmong(people: ListedPerson[]): string[] {
  const counts = new Map<string, number>();
  for (const person of people)
    for (const list of LISTS)
      for (const form of formsOf(person, list)) counts.set(`${list} ${form}`, (counts.get(`${list} ${form}`) ?? 0) + 1);
  const isMute = (list: List, form: string) => (counts.get(`${list} ${form}`) ?? 0) > SHARERS_MAX;
  return people.flatMap((a, i) =>
    people.slice(i + 1).flatMap((b) => {
      const reasons = reasonsOf({ a, b, isMute });
      return reasons.length > 0 ? `${a.id} ${b.id}: ${reasons.join(", ")}` : [];
    }),
  );
}
