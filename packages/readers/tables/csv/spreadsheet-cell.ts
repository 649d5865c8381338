import { trimmed } from "../../cell-text.ts";

/** A text that a formula is made of, so that a spreadsheet takes none of its zeros: `="01067"`. */
const TEXT_FORMULA = /^=\s*"(?<text>(?:[^"]|"")*)"$/s;
/**
 * An apostrophe by which a spreadsheet takes what follows for text: a sign with which formulas begin, or a number. In
 * names like 't Hooft and '47 Brand it is part of the name.
 */
const GUARD = /^'(?=[=+\-@\t\r＝＋－＠]|[\d(.][^\p{L}']*$)(?!.*'$)/su;
/** Words of several languages for a value that is not found, and one for a value that Excel has not loaded yet. */
const NOT_AVAILABLE = "N/[ABD]!?|NV|Н/Д|I/T|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA";
/** Spreadsheets show these where a formula fails: #N/A, #NV, #DIV/0!, #BEZUG!, #¡VALOR!, and Err:502 of LibreOffice. */
const ERROR = new RegExp(String.raw`^(?:#(?:${NOT_AVAILABLE}|[¡¿]?[\p{Lu}_]+(?:/0)?[!?])|Err:\d{3})$`, "u");

/** A cell without what spreadsheets write for themselves: the value that they show. docs/guides/import.md#csv-files */
export function spreadsheetCell(cell: string): string {
  const text = trimmed(cell);
  switch (text.charAt(0)) {
    case "=":
      return TEXT_FORMULA.exec(text)?.groups?.text?.replaceAll('""', '"') ?? cell;
    case "'":
      return GUARD.test(text) ? text.slice(1) : cell;
    case "#":
    case "E":
      return ERROR.test(text) ? "" : cell;
    default:
      return cell;
  }
}
