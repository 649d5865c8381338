import type { ImportedEmail, Participant } from "contact-workspace-readers/interaction";
import { participantKey } from "contact-workspace-readers/participants";
import { COUNTRIES } from "contact-workspace-readers/phone-numbers";
import type { ServiceSchema } from "moleculer";
import { closed, oneOf, Type } from "../../../../base/contract/schema.ts";
import { issuesOf } from "../../../../base/contract/validate.ts";
import { type ImportedInteraction, importedIssues } from "../../../../engine/interactions/imported.ts";
import { normalForm } from "../../../../engine/interactions/normal-form.ts";
import type { Draft, WriteContext } from "../../../../engine/records/draft.ts";
import { writeDrafts } from "../../../../engine/records/write.ts";
import { runOrTry } from "../../../../engine/store/dry-run.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import type { StoredParticipant } from "../../../../engine/things/find-interaction.ts";
import type { ServiceContext } from "../../../../mixins/context.ts";
import { type ActionContext, importerOf } from "../../../../mixins/context.ts";
import { people } from "../../../../model/resources/people.ts";
import { everybody, findMatches, type Matches } from "./match.ts";
import { rowOf } from "./rows.ts";
import { type Outcome, writeImported } from "./write.ts";

/**
 * Result of an interaction. One without people of the workspace is not stored.
 * docs/guides/import-interactions.md#the-answer
 */
type Written = Outcome | { outcome: "unmatched"; addresses: string[] };

const AT_ONCE_MAX = 1000;

const params = closed({
  interactions: Type.Array(Type.Unsafe<ImportedInteraction>(Type.Object({})), { maxItems: AT_ONCE_MAX }),
  create: Type.Boolean(),
  dryRun: Type.Boolean(),
  firstCounts: Type.Optional(Type.Boolean()),
  country: Type.Optional(oneOf(COUNTRIES)),
});

interface Params {
  interactions: ImportedInteraction[];
  create: boolean;
  dryRun: boolean;
  firstCounts?: boolean;
  country?: (typeof COUNTRIES)[number];
}

/**
 * Stores interactions of other systems. The command line calls it, and connectors that run beside the server may; no
 * route leads here. docs/guides/import-interactions.md
 */
export default function interactionsImportService({ database }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "interactions-import",
    actions: {
      /**
       * Stores interactions in one transaction and gives the result of each, in their order. No two have one id.
       * `create` makes people of participants whom the workspace does not know; `country` is where numbers without a
       * code are dialled. With `firstCounts` an interaction that is there keeps its content, and only its people are
       * looked up again.
       */
      write: {
        params,
        handler: (ctx: ActionContext<Params>): Promise<Written[]> =>
          runOrTry(
            ctx.params.dryRun,
            (work) => store.writeMany(importerOf(ctx), work),
            (writing: WriteContext) => write(writing, ctx.params),
          ),
      },
    },
  };
}

async function write(
  writing: WriteContext,
  { interactions, create, firstCounts, country }: Params,
): Promise<Written[]> {
  const results: Written[] = [];
  const read: { at: number; interaction: ImportedInteraction }[] = [];
  for (const [at, interaction] of interactions.entries()) {
    const [issue] = importedIssues(interaction);
    const isLogged = interaction.id.startsWith("lit_");
    if (issue) results[at] = { refused: issue.message, path: issue.path.map(String) };
    else if (isLogged)
      results[at] = { refused: "Ids that begin with lit_ are those of logged interactions", path: ["id"] };
    else read.push({ at, interaction: normalForm(interaction, country) });
  }
  const before = firstCounts ? await asImportedBefore(writing, interactions) : new Map<string, ImportedInteraction>();
  const valid = read.map(({ at, interaction }) => ({ at, interaction: before.get(interaction.id) ?? interaction }));
  const participants = valid.flatMap(({ interaction }) => everybody(interaction));
  const matches = await findMatches(writing, participants, country);
  if (create) await createPeople(writing, unmatchedOf(participants, matches), matches);
  const rows = valid.map(({ at, interaction }) => ({ at, interaction, row: rowOf(interaction, matches) }));
  const stored = rows.filter(({ row }) => row.people.length > 0);
  const outcomes = await writeImported(
    writing,
    stored.map(({ row }) => row),
  );
  for (const [i, { at }] of stored.entries()) results[at] = outcomes[i] as Outcome;
  for (const { at, interaction, row } of rows)
    if (row.people.length === 0)
      results[at] = {
        outcome: "unmatched",
        addresses: unmatchedOf(everybody(interaction), matches).map(addressOf),
      };
  return results;
}

/** Those who are neither a user nor a person of the workspace, each once. */
function unmatchedOf(participants: Participant[], matches: Matches): Participant[] {
  const byKey = new Map<string, Participant>();
  for (const one of participants) {
    const key = participantKey(one) ?? `as written:${one.value}`;
    if (!matches.has(key) && !byKey.get(key)?.name) byKey.set(key, one);
  }
  return [...byKey.values()];
}

/** An address as addresses are compared, so that it is the same in all interactions. */
function addressOf(participant: Participant): string {
  const key = participantKey(participant);
  return key === null ? participant.value : key.slice(key.indexOf(":") + 1);
}

/**
 * Makes people of participants who are nobody in the workspace yet, and adds them to the matches. Whose address is
 * none, or longer than a person's may be, stays nobody. docs/guides/import-interactions.md#who-took-part
 */
async function createPeople(writing: WriteContext, participants: Participant[], matches: Matches): Promise<void> {
  const wanted = participants.flatMap((participant) => {
    const key = participantKey(participant);
    const { type, value, name = "" } = participant;
    const address = type === "email" ? { emails: [value] } : { phones: [value] };
    const sent = { ...address, ...(name !== "" && { fullName: name }) };
    return key !== null && issuesOf(people.createBody, sent).length === 0 ? [{ key, sent }] : [];
  });
  const drafts = wanted.map(
    ({ sent }): Draft => ({ at: [], sent, current: null, scope: { entity: "person", homeGroup: null }, groups: "add" }),
  );
  for (const [i, written] of (await writeDrafts(writing, people, drafts)).entries()) {
    const key = wanted[i]?.key;
    if (key !== undefined && "row" in written) matches.set(key, { personIds: [written.row.uuid] });
  }
}

interface Stored {
  id: string;
  dateTime: Date;
  privacyLevel: NonNullable<ImportedEmail["privacyLevel"]>;
  title: string | null;
  content: string;
  more: { body: string };
  participants: { from: StoredParticipant; to: StoredParticipant[] };
}

/**
 * Mails as they were imported before, by their ids; those that are new are missing. A mail never changes, but archives
 * hold copies of it that differ in the lines that servers and mailing lists add.
 * docs/guides/import-interactions.md#archives-of-mails
 */
async function asImportedBefore(
  { query, caller }: WriteContext,
  interactions: readonly ImportedInteraction[],
): Promise<Map<string, ImportedEmail>> {
  const rows = await query<Stored>(
    `select source_id as id, date_time as "dateTime", privacy_level as "privacyLevel", title, content, more, participants
     from interactions where workspace_id = $1 and source_id = any($2::text[]) and interaction_type = 'email'`,
    [caller.workspaceId, interactions.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, mailOf(row)]));
}

function mailOf({ dateTime, title, content, more, participants, ...same }: Stored): ImportedEmail {
  return {
    ...same,
    interactionType: "email",
    dateTime: dateTime.toISOString(),
    ...(title !== null && { title }),
    content: { ...JSON.parse(content), ...more },
    from: withoutMatch(participants.from),
    to: participants.to.map(withoutMatch),
  };
}

/** A participant without the user or the person that the address belonged to then. */
function withoutMatch({ userId: _, personId: __, ...participant }: StoredParticipant): Participant {
  return participant;
}
