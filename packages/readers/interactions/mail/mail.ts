import { createHash } from "node:crypto";
import PostalMime, { type Address, addressParser, decodeWords, type Email } from "postal-mime";
import { IMPORTED_BOUNDS, type ImportedEmail, type Participant } from "../interaction.ts";
import { eachOnce } from "../participants.ts";
import { fitted, inOneLine, plain } from "../plain-text.ts";
import type { LeftOut, Outcome } from "../read.ts";
import { envelopeDate, mailDate } from "./date.ts";
import { htmlText } from "./html.ts";

/** An email of an archive. */
export interface RawMail {
  bytes: Uint8Array<ArrayBuffer>;
  /** The line that begins with `From ` in front of the mail, empty without one. */
  envelope: string;
}

const SNIPPET_LENGTH = 200;
/** More than enough for a snippet, however many blanks are in it. */
const SNIPPET_SOURCE_LENGTH = 4000;

/** A mail as an interaction. docs/guides/import-interactions.md#archives-of-mails */
export async function readMail({ bytes, envelope }: RawMail): Promise<Outcome> {
  const mail = await parsed(bytes);
  if (typeof mail === "string") return { refused: `The mail cannot be read: ${mail}` };
  const leftOut = leftOutBy(mail.headers);
  if (leftOut) return { leftOut };
  const dateTime = mailDate(headerOf(mail, "date")) ?? envelopeDate(envelope);
  if (dateTime === null) return { refused: "The mail has no readable date" };
  const [from] = ["from", "sender"].flatMap((name) => mailboxes(addressParser(headerOf(mail, name))));
  if (!from) return { refused: "The mail has no sender" };
  const to = recipientsOf(mail);
  if (to.length === 0) return { refused: "The mail has no recipient" };
  if (to.length > IMPORTED_BOUNDS.recipients)
    return { refused: `The mail went to ${to.length} addresses, more than ${IMPORTED_BOUNDS.recipients}` };
  const subject = fitted(inOneLine(plain(mail.subject ?? "")), IMPORTED_BOUNDS.subject);
  const body = bodyOf(mail);
  const interaction: ImportedEmail = {
    id: idOf(mail, envelope),
    interactionType: "email",
    dateTime,
    title: subject.text,
    content: { subject: subject.text, snippet: snippetOf(body.text), body: body.text },
    from,
    to,
  };
  return { interaction, ...((subject.isCut || body.isCut) && { isCut: true }) };
}

/** The mail, or why it cannot be read. */
async function parsed(bytes: Uint8Array<ArrayBuffer>): Promise<Email | string> {
  try {
    return await PostalMime.parse(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}

function headerOf({ headers }: Email, name: string): string {
  return headers.find(({ key }) => key === name)?.value ?? "";
}

/** Entries of an address list that have an address, in their order, those of groups included. */
function mailboxes(addresses: readonly Address[]): Participant[] {
  const entries = addresses.flatMap((address) => address.group ?? [address]);
  return withWholeNames(entries).flatMap(({ name = "", address = "" }): Participant[] => {
    const value = inOneLine(plain(address));
    if (value === "" || value.length > IMPORTED_BOUNDS.participantValue) return [];
    const shown = fitted(inOneLine(plain(name)), IMPORTED_BOUNDS.participantName).text;
    return [{ type: "email", value, ...(shown !== "" && shown !== value && { name: shown }) }];
  });
}

type Entry = Pick<Address, "name" | "address">;

/**
 * Puts a name together that a comma without quotes has divided: `Lovelace, Ada <ada@acme.test>` arrives as two entries.
 * Texts without an address belong to the next entry that has a name and an address, or to the only address of the
 * header.
 */
function withWholeNames(entries: readonly Entry[]): Entry[] {
  const isAlone = entries.filter(hasAddress).length === 1;
  let texts: string[] = [];
  return entries.flatMap((entry) => {
    const { name = "", address = "" } = entry;
    if (!hasAddress(entry)) {
      texts.push(name || address);
      return [];
    }
    const parts = isAlone || name !== "" ? [...texts, name] : [name];
    texts = [];
    return [{ name: joined(parts.filter((part) => part !== "")), address }];
  });
}

/**
 * Whether an entry has an address. The first of `Sales @ Acme, Ada <ada@acme.test>` is read as one, but no address has
 * blanks.
 */
function hasAddress({ address = "" }: Entry): boolean {
  return address !== "" && !/\s/.test(address);
}

const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?[^?]*\?=/gi;

/**
 * The parts of a name. An encoded word that a comma has divided, `=?utf-8?Q?Lovelace,_Ada?=`, is decoded when it is
 * whole again.
 */
function joined(parts: readonly string[]): string {
  const name = parts.join(", ");
  if (parts.length < 2) return name;
  return decodeWords(name.replaceAll(ENCODED_WORD, (word) => word.replaceAll(", ", ",")));
}

/**
 * Recipients of an email. An email without recipients went to the mailbox it was found in, if the mail server has noted
 * that.
 */
function recipientsOf(mail: Email): Participant[] {
  const named = mailboxes([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]);
  if (named.length > 0) return eachOnce(named);
  const address = mail.deliveredTo ?? (headerOf(mail, "x-original-to") || headerOf(mail, "envelope-to"));
  return mailboxes([{ name: "", address: address.replaceAll(/[<>]/g, "") }]);
}

function bodyOf(mail: Email): { text: string; isCut: boolean } {
  const text = mail.text?.trim() ? mail.text : htmlText(mail.html ?? "", IMPORTED_BOUNDS.text);
  return fitted(
    plain(text)
      .replaceAll("\r\n", "\n")
      .replace(/^\s*\n/, "")
      .trimEnd(),
    IMPORTED_BOUNDS.text,
  );
}

function snippetOf(body: string): string {
  return fitted(inOneLine(fitted(body, SNIPPET_SOURCE_LENGTH).text), SNIPPET_LENGTH).text.trimEnd();
}

/** Headers that stay the same however often a mail is exported, whatever programs add. */
const LASTING = ["message-id", "date", "from", "sender", "to", "cc", "bcc", "subject", "received"];

/** The Message-ID, or a hash in its place: of the head, or of all known facts of an email without a head. */
function idOf(mail: Email, envelope: string): string {
  const header = plain(headerOf(mail, "message-id"));
  const id = inOneLine(/<([^<>]+)>/.exec(header)?.[1] ?? header);
  if (id !== "" && id.length <= IMPORTED_BOUNDS.id) return id;
  const head = mail.headers.filter(({ key }) => LASTING.includes(key)).map(({ key, value }) => [key, value]);
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([head, envelopeDate(envelope)]))
    .digest("hex")}`;
}

/**
 * Labels with which Google's export marks drafts, spam and trash, in lower case. They are in the language of the
 * account; in other languages than these, drafts and trash are imported like other emails.
 */
const LABELS: Record<"drafts" | "spam" | "trash", string[]> = {
  drafts: ["drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze", "rascunhos", "concepten", "kladder"],
  spam: ["spam"],
  trash: ["trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "lixeira", "lixo", "prullenbak"],
};

/** The bit of `X-Mozilla-Status` that marks a deleted mail whose folder was not compacted since. */
const MOZILLA_DELETED = 0x8;

/** Why a mail is left out, by the headers that the program which kept it has added; null when it is not. */
function leftOutBy(headers: readonly { key: string; value: string }[]): LeftOut | null {
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? "";
  const labels = decodeWords(header("x-gmail-labels"))
    .split(",")
    .map((label) => label.trim().replaceAll('"', "").toLowerCase());
  for (const [because, words] of Object.entries(LABELS) as [LeftOut, string[]][])
    if (labels.some((label) => words.includes(label))) return because;
  const isDeleted = (Number.parseInt(header("x-mozilla-status"), 16) & MOZILLA_DELETED) !== 0;
  return isDeleted ? "trash" : null;
}
