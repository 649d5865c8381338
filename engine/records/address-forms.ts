import type { Uuid } from "../../base/values/ids.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Columns, RowSets } from "./row-sets.ts";
import type { RecordRow } from "./select.ts";

// Rough forms of addresses find people and companies: all spellings of one address have the same form. The code that
// looks for records compares the addresses that it finds. The migrations 0018 and 0028 have made the forms of older
// rows by the same rules.

const NOT_PLAIN = /[^!-@[-~]/;
const URL_FORM_LENGTH_MAX = 300;

/** The form of an e-mail address; null for one in ASCII without capitals and blanks, which is found by its key. */
function emailForm(email: string): string | null {
  return NOT_PLAIN.test(email) ? roughEmail(email) : null;
}

/** An e-mail address in lower case, as far as it is ASCII, and without all that is not. */
export function roughEmail(address: string): string {
  return asciiLower(address).replaceAll(/[^!-~]/g, "");
}

/** A URL without scheme, `www.`, fragment, slash at the end, letter case, and all that is not ASCII. */
export function roughUrl(url: string): string {
  return asciiLower(url)
    .replaceAll(/^\s*(?:[a-z][a-z\d+.-]*:)?\/\/|#[\s\S]*$|[^!-~]/g, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "")
    .slice(0, URL_FORM_LENGTH_MAX);
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Forms of a list of addresses in the table: the letter that stands before them, and that of one address. */
export const ADDRESS_LISTS = {
  emails: { letter: "e", formOf: emailForm },
  phones: { letter: "p", formOf: (phone: string) => phone.replaceAll(/\D/g, "") },
  urls: { letter: "u", formOf: roughUrl },
} as const;

const NAMES = Object.keys(ADDRESS_LISTS) as (keyof typeof ADDRESS_LISTS)[];

/** The forms of the addresses of a record, each once. */
export function addressForms(row: RecordRow): string[] {
  const forms = NAMES.flatMap((name) => {
    const { letter, formOf } = ADDRESS_LISTS[name];
    return (row[name] as string[]).flatMap((text) => {
      const form = formOf(text);
      return form ? letter + form : [];
    });
  });
  return forms.length > 1 ? [...new Set(forms)] : forms;
}

/** Records before and after a write, each null where there is none. */
interface Written {
  before: RecordRow | null;
  after: RecordRow | null;
}

/** Writes the forms by which people and companies are found. Objects have none. */
export function writeAddresses(
  { addressesTable, recordIdColumn }: RecordType,
  written: Written[],
  sets: RowSets,
): void {
  if (addressesTable === null) return;
  const columns: Columns = { form: "text", [recordIdColumn]: "uuid" };
  const gone: Record<string, unknown>[] = [];
  const added: Record<string, unknown>[] = [];
  for (const { before, after } of written) {
    if (before && after && NAMES.every((name) => before[name] === after[name])) continue;
    const [old, now] = [before, after].map((row) => (row ? addressForms(row) : []));
    const rowOf = (uuid: Uuid | undefined) => (form: string) => ({ form, [recordIdColumn]: uuid });
    gone.push(...(old ?? []).filter((form) => !now?.includes(form)).map(rowOf(before?.uuid)));
    added.push(...(now ?? []).filter((form) => !old?.includes(form)).map(rowOf(after?.uuid)));
  }
  sets.delete(addressesTable, columns, gone);
  sets.insert(addressesTable, columns, added);
}
