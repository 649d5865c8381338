import { decodeWords } from "postal-mime";
import type { LeftOut } from "../read.ts";

/**
 * The labels by which Google's export marks mails that nobody has sent or wanted, in lower case. They stand in the language of
 * the account; of other languages than these, drafts and trash are imported like other mails.
 */
const LABELS: Record<"drafts" | "spam" | "trash", string[]> = {
  drafts: ["drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze", "rascunhos", "concepten", "kladder"],
  spam: ["spam"],
  trash: ["trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "lixeira", "lixo", "prullenbak"],
};

/** The bit of `X-Mozilla-Status` that marks a deleted mail whose folder was not compacted since. */
const MOZILLA_DELETED = 0x8;

/** Why a mail is left out, by the headers that the program which kept it has added; null when it is not. */
export function leftOutBy(headers: readonly { key: string; value: string }[]): LeftOut | null {
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? "";
  const labels = decodeWords(header("x-gmail-labels"))
    .split(",")
    .map((label) => label.trim().replaceAll('"', "").toLowerCase());
  for (const [because, words] of Object.entries(LABELS) as [LeftOut, string[]][])
    if (labels.some((label) => words.includes(label))) return because;
  const isDeleted = (Number.parseInt(header("x-mozilla-status"), 16) & MOZILLA_DELETED) !== 0;
  return isDeleted ? "trash" : null;
}
