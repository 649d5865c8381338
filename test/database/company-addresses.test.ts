import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid } from "../../base/values/ids.ts";
import { searchColumns, textKey } from "../../engine/filters/search-columns.ts";
import { addressForms } from "../../engine/records/address-forms.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import { databaseFrom, type TestDatabase } from "../support/database.ts";

const workspaceId = newUuid();
const userId = newUuid();

const LISTS = {
  emails: ["info@acme.test", " Info@Acme.test", "ÉMILE@x.test", "a b@x.test", "\t\u00e9"],
  phones: ["+44 (0)20 7946 0000", "n/a", "0041-44"],
  urls: [
    ...[
      "https://www.Acme.test/Path/?q=1#frag",
      "  HTTP://ACME.test/",
      "//x.test",
      "mailto:a@x",
      "https://bücher.test/é",
    ],
    ...["https://", `https://long.test/${"x".repeat(400)}`, "www.www.test/#a/b"],
  ],
};
const NONE = { emails: [], phones: [], urls: [] };
const NAMES = ["Ada", " Ada", "Ada\u00a0", "\u2003Zoe\u0301 Ångström\n", "   ", "\ufeffÉ"];

const rowOf = (lists: object) => ({ uuid: newUuid(), ...lists }) as RecordRow;
const companies = [rowOf(LISTS), rowOf(NONE), rowOf({ ...NONE, phones: ["1"] })];
const persons = NAMES.map((fullName) => rowOf({ ...NONE, emails: [" Blank@x.test "], fullName }));
const things = NAMES.map((name) => rowOf({ name }));

const COMPANY = `insert into companies (workspace_id, id, created_at, created_by, name, name_key, description, addresses, emails, phones, urls, memberships)
  values ($1, $2, now(), $3, $7::text, decode(md5($7::text), 'hex'), '', '[]', $4, $5, $6, '[]')`;
const PERSON = `insert into people (workspace_id, id, created_at, created_by, first_name, last_name, full_name, description, gender, job_title, addresses, emails, phones, urls, company_ids, memberships)
  values ($1, $2, now(), $3, '', '', $4, '', 'Unknown', '', '[]', $5, '[]', '[]', '{}', '[]')`;
const OBJECT = `insert into objects (workspace_id, id, created_at, created_by, object_type_id, name, company_ids, person_ids, memberships)
  values ($1, $2, now(), $3, $3, $4, '{}', '{}', '[]')`;

describe("A database of the release before upserts", () => {
  let test: TestDatabase;

  const companyValues = ({ uuid, emails, phones, urls }: RecordRow) => [
    ...[workspaceId, uuid, userId],
    ...[emails, phones, urls].map((list) => JSON.stringify(list)),
    uuid,
  ];

  beforeAll(async () => {
    test = await databaseFrom("0028-company-addresses", async (query) => {
      await query("insert into workspaces (id, slug, name, created_at) values ($1, 'acme', 'Acme', now())", [
        workspaceId,
      ]);
      await query(
        `insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
         values ($1, $2, 'ada@x', 'ada@x', 'Ada', 'admin', now())`,
        [workspaceId, userId],
      );
      await query(
        `with made as (
           insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, 'Sales', 'private', now()))
         insert into object_types (workspace_id, id, group_id, name, name_key, created_at) values ($1, $2, $2, 'Deals', 'Deals', now())`,
        [workspaceId, userId],
      );
      for (const row of companies) await query(COMPANY, companyValues(row));
      for (const { uuid, fullName, emails } of persons) {
        await query(PERSON, [workspaceId, uuid, userId, fullName, JSON.stringify(emails)]);
        await query(
          `insert into person_search (workspace_id, id, created_by, folded_texts, folded_lists, text_keys) values ($1, $2, $3, '', '', $4)`,
          [workspaceId, uuid, userId, [textKey(workspaceId, "fullName", String(fullName))]],
        );
      }
      for (const { uuid, name } of things) {
        await query(OBJECT, [workspaceId, uuid, userId, name]);
        await query(
          `insert into object_search (workspace_id, id, object_type_id, created_by, folded_texts, folded_lists, text_keys) values ($1, $2, $3, $3, '', '', $4)`,
          [workspaceId, uuid, userId, [textKey(workspaceId, "name", String(name))]],
        );
      }
    });
  });

  afterAll(() => test.drop());

  const formsOf = async (table: string, own: string, { uuid }: RecordRow) =>
    (
      await test.database.read<{ form: string }>(`select form from ${table} where workspace_id = $1 and ${own} = $2`, [
        workspaceId,
        uuid,
      ])
    ).map(({ form }) => form);
  const sorted = (texts: readonly string[]) => texts.toSorted();

  it("gets the forms of the addresses of companies that a write would give them", async () => {
    for (const row of companies)
      expect(sorted(await formsOf("company_addresses", "company_id", row))).toEqual(sorted(addressForms(row)));
    expect(addressForms(companies[0] as RecordRow)).toHaveLength(12);
  });

  it("gets the forms of people's e-mail addresses with blanks", async () => {
    for (const row of persons) expect(await formsOf("person_addresses", "person_id", row)).toEqual(addressForms(row));
  });

  it("gets the keys of names with blanks around them that a write would give them", async () => {
    for (const [resource, rows] of [
      [people, persons],
      [objects, things],
    ] as const)
      for (const row of rows) {
        const [found] = await test.database.read<{ keys: string[] }>(
          `select text_keys::text[] as keys from ${resource.searchTable} where workspace_id = $1 and id = $2`,
          [workspaceId, row.uuid],
        );
        const only = { ...resource, searched: resource.searched.filter(({ name }) => name === resource.nameField) };
        expect(sorted(found?.keys ?? [])).toEqual(sorted(searchColumns(only, workspaceId, row).text_keys));
      }
  });

  it("has the forms of what processes of that release write, change and delete meanwhile", async () => {
    const row = rowOf(LISTS);
    await test.database.transaction(async (trx) => {
      await trx.raw("set local contact_workspace.takes_along = 'off'");
      const run = (text: string, values: unknown[]) => trx.send({ text, values });
      await run(COMPANY, companyValues(row));
      await run("update companies set phones = '[\"7\"]' where workspace_id = $1 and id = $2", [workspaceId, row.uuid]);
    });
    const changed = { ...row, phones: ["7"] };
    expect(sorted(await formsOf("company_addresses", "company_id", row))).toEqual(sorted(addressForms(changed)));
    await test.database.transaction(async (trx) => {
      await trx.raw("set local contact_workspace.takes_along = 'off'");
      await trx.send({
        text: "delete from companies where workspace_id = $1 and id = $2",
        values: [workspaceId, row.uuid],
      });
    });
    expect(await formsOf("company_addresses", "company_id", row)).toEqual([]);
  });
});
