import { describe, expect, it } from "@jest/globals";
import type { Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

const ok = "succeeded";
const KINDS = [
  ["people", "person"],
  ["companies", "company"],
] as const;

// docs/guides/access.md#groups-in-writes, docs/guides/batches.md#update
describeServer("Groups in a batch", (scene) => {
  describe.each(KINDS)("of %s", (kind, entity) => {
    const path = `/v1/${kind}/batch`;
    let count = 0;
    const named = (more: object) => ({ ...(kind === "companies" && { name: `C ${count++}` }), ...more });

    async function setUp() {
      const workspace = await scene.workspace();
      const { ada, user, group, field } = workspace;
      const bob = await user("Bob Stone");
      const shared = await group(ada, { name: "Shared", members: [[bob, "contributor"]] });
      const second = await group(ada, { name: "Second", members: [[bob, "contributor"]] });
      const readOnly = await group(ada, { name: "Read only", members: [[bob, "reader"]] });
      const hidden = await group(ada, { name: "Hidden" });
      const groups = { shared, second, readOnly, hidden };
      for (const one of Object.values(groups)) await field(ada, one, entity, { type: "textField", name: "Note" });
      return { ...workspace, api: scene.api(ada), bob: scene.api(bob), groups };
    }
    const refs = (...groups: { id: string }[]) => groups.map(({ id }) => ({ id }));
    const notes = (...groups: { id: string }[]) => Object.fromEntries(groups.map(({ id }) => [id, { Note: "x" }]));
    const groupsOf = (record: Item | undefined) => ((record?.groups ?? []) as Item[]).map(({ name }) => name);

    it("are replaced by an update: those taken away stand in removedGroups and lose their values, hidden ones stay (docs/guides/batches.md#update)", async () => {
      const { api, bob, groups } = await setUp();
      const { shared, second, hidden } = groups;
      const all = named({ groups: refs(shared, hidden, second), customFieldValues: notes(shared, hidden, second) });
      const untouched = named({ groups: refs(shared), customFieldValues: notes(shared) });
      const [one, other] = recordsOf(await api.post(`${path}/create`, { records: [all, untouched] }));
      const records = [
        { id: one?.id, groups: refs(second) },
        { id: other?.id, description: "x" },
      ];
      const results = resultsOf(await bob.post(`${path}/update`, { records }));
      expect(results.map(({ removedGroups }) => removedGroups)).toEqual([refs(shared), []]);
      expect(results[0]?.data).toMatchObject({ customFieldValues: notes(second) });
      expect(groupsOf(results[0]?.data)).toEqual(["Second"]);
      const seen = (await api.get(`/v1/${kind}/${one?.id}`)).data;
      expect(seen.customFieldValues).toEqual(notes(second, hidden));
      expect(results[1]?.data).toEqual({ ...other, description: "x" });
      // Back in the group, the values of before are gone.
      const back = await api.patch(`/v1/${kind}/${one?.id}`, { groups: refs(shared, hidden, second) });
      expect(back.data.customFieldValues).toEqual({ ...notes(second, hidden), [shared.id]: { Note: null } });
    });

    it("are all taken away by an empty list, but those that are hidden", async () => {
      const { api, bob, groups } = await setUp();
      const { shared, second, hidden } = groups;
      const sent = { records: [named({ groups: refs(shared, second, hidden) })] };
      const [record] = recordsOf(await api.post(`${path}/create`, sent));
      const [result] = resultsOf(await bob.post(`${path}/update`, { records: [{ id: record?.id, groups: [] }] }));
      expect(result?.removedGroups).toEqual(refs(shared, second));
      expect(groupsOf((await api.get(`/v1/${kind}/${record?.id}`)).data)).toEqual(["Hidden"]);
    });

    it("that cannot be seen or do not exist are a warning at their place, on create and update (docs/guides/batches.md#warnings)", async () => {
      const { bob, groups } = await setUp();
      const { shared, hidden } = groups;
      const wanted = [
        ...refs(shared, hidden),
        { id: `grp_00000000-0000-7000-8000-000000000000` },
        { id: "x".repeat(40) },
      ];
      const created = resultsOf(await bob.post(`${path}/create`, { records: [named({}), named({ groups: wanted })] }));
      expect(created[0]).not.toHaveProperty("warnings");
      const id = created[1]?.data?.id;
      const updated = resultsOf(await bob.post(`${path}/update`, { records: [{ id, groups: wanted }] }));
      for (const [results, i] of [
        [created, 1],
        [updated, 0],
      ] as const) {
        const { status, data, warnings = [] } = results[i] ?? {};
        expect([status, groupsOf(data)]).toEqual([ok, ["Shared"]]);
        expect(warnings.map(({ code, path: at }) => [code, ...at])).toEqual(
          [1, 2, 3].map((j) => ["GROUP_NOT_ADDED", "records", i, "groups", j]),
        );
        expect(warnings[0]?.message).toContain(hidden.id);
      }
    });

    it("in which the role is too low: adding, taking out and writing values are FORBIDDEN, naming one that the record is in is not (docs/guides/access.md#groups-in-writes)", async () => {
      const { api, bob, groups } = await setUp();
      const { shared, readOnly } = groups;
      const make = async (...homes: { id: string }[]) =>
        recordsOf(await api.post(`${path}/create`, { records: [named({ groups: refs(...homes) })] }))[0]?.id;
      const [inBoth, inNone] = [await make(readOnly, shared), await make()];
      const records = [
        { id: inNone, groups: refs(readOnly) },
        { id: inBoth, groups: refs(shared) },
      ];
      expect(outcomesOf(await bob.post(`${path}/update`, { records }))).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
      const values = [{ id: inBoth, customFieldValues: notes(readOnly) }];
      expect(outcomesOf(await bob.post(`${path}/update`, { records: values }))).toEqual([["FORBIDDEN"]]);
      const naming = [{ id: inBoth, groups: refs(shared, readOnly), customFieldValues: { [readOnly.id]: {} } }];
      expect(outcomesOf(await bob.post(`${path}/update`, { records: naming }))).toEqual([ok]);
      const made = await bob.post(`${path}/create`, { records: [named({ groups: refs(readOnly) })] });
      expect(outcomesOf(made)).toEqual([["FORBIDDEN"]]);
      expect(resultsOf(made)[0]?.error?.documentationUrl).toMatch(/#forbidden$/);
      expect(groupsOf((await api.get(`/v1/${kind}/${inBoth}`)).data).sort()).toEqual(["Read only", "Shared"]);
    });

    it("do not matter for a delete: everybody may delete a record, whatever groups it is in (docs/guides/batches.md#delete)", async () => {
      const { api, bob, groups } = await setUp();
      const records = [named({ groups: refs(groups.hidden, groups.readOnly) })];
      const made = recordsOf(await api.post(`${path}/create`, { records }));
      expect(outcomesOf(await bob.post(`${path}/delete`, { records: refs(...made) }))).toEqual([ok]);
    });
  });
});
