import { wordsOf } from "./search-words.ts";

// The forms in which names are compared to find duplicates. docs/guides/duplicates.md#names

/**
 * The form of a person's full name, of its words as they are compared: in the order of the alphabet, so that
 * "Lovelace, Ada" has that of "Ada Lovelace". Null for a name without words.
 */
export function personNameKey(words: readonly string[]): string | null {
  return words.length === 0 ? null : words.toSorted().join(" ");
}

/** Words at the end of a company's name that tell its legal form, without dots and slashes. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    "ab aktiebolag ag aktiengesellschaft aps as asa bhd bv bvba co company coltd corp corporation doo eg eirl eood ek " +
    "eurl ev gbr gesmbh ggmbh gmbh gmbhcokg inc incorporated jsc kft kg kgaa kk lda limited limitada llc llp lp ltd " +
    "ltda mbh nv ohg oo ood oy oyj plc pllc pte pty pvt sa sab sarl sas sau sc sca scs sdn se sl slu snc spa spzoo sr " +
    "srl sro ug vof zoo ооо оао зао пао"
  ).split(" "),
);

/**
 * The form of a company's name: without letter case, accents, blanks, signs and the legal forms at its end. A name of
 * legal forms alone keeps them. Null for a name without letters and digits.
 */
export function companyNameKey(name: string): string | null {
  const words = name.split(/[\s,()]+/).flatMap((part) => {
    const word = wordsOf(part)
      .map(({ folded }) => folded)
      .join("");
    return word === "" ? [] : [word];
  });
  let end = words.length;
  while (end > 1 && LEGAL_FORMS.has(words[end - 1] ?? "")) end -= 1;
  return words.length === 0 ? null : words.slice(0, end).join("");
}
