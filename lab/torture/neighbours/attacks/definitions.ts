import type { Attack } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { get, makePeople, patch, post } from "../attackers/requests.ts";
import type { World } from "../attackers/world.ts";

/** Adds options to the field `Select` until there are as many, or no more may be. */
async function addOptions(world: World, count: number): Promise<void> {
  const path = `/v1/groups/${world.group}/custom-fields/person/Select`;
  for (let from = 0; from < count; from += 100) {
    const addOptions = Array.from({ length: 100 }, (_, i) => ({ label: `${"l".repeat(480)} ${from + i}` }));
    const made = await world.make(patch(anyKey(world, from / 100), path, { addOptions })).catch(() => undefined);
    if (!made) return;
  }
}

/** Groups, fields, options, members: what a workspace may have any number of. */
export const DEFINITIONS: Attack[] = [
  {
    name: "20,000 options",
    about:
      "a field gets as many options as may be, up to 20,000, and is changed again and again while records are read",
    prepare: async (world) => {
      await addOptions(world, 20_000);
      const path = `/v1/groups/${world.group}/custom-fields/person/Select`;
      const { options } = await world.make<{ options: { id: string }[] }>(get(world.admin.key, path));
      const id = options[0]?.id;
      return () =>
        flood(world, { perSecond: 60 }, (n) =>
          n % 2 === 0
            ? patch(anyKey(world, n), path, {
                updateOptions: [{ id, color: `#${String(n % 1_000).padStart(6, "0")}` }],
              })
            : patch(anyKey(world, n), `/v1/groups/${world.group}`, { name: `Sales ${n}` }),
        );
    },
  },
  {
    name: "definitions that are read",
    about: "definitions with as many options as may be are listed by twenty users, and by assistants",
    prepare: async (world) => {
      await addOptions(world, 20_000);
      const path = `/v1/groups/${world.group}/custom-fields/person?limit=100`;
      return () => flood(world, { perSecond: 100 }, (n) => get(anyKey(world, n), path));
    },
  },
  {
    name: "fields without end",
    about: "fields and object types with long names are defined as fast as may be",
    prepare: (world) => {
      const path = `/v1/groups/${world.group}/custom-fields/person`;
      const types = ["textField", "numericField", "objectField", "contactField"];
      return () =>
        flood(world, { perSecond: 200 }, (n) =>
          post(anyKey(world, n), path, { type: inTurn(types, n), name: `${n} ${"\u4e2d".repeat(240)}` }),
        );
    },
  },
  {
    name: "groups without end",
    about: "groups are made as fast as may be, and listed",
    prepare: (world) => () =>
      flood(world, { perSecond: 200 }, (n) =>
        n % 4 === 0
          ? get(anyKey(world, n), "/v1/groups?limit=100")
          : post(anyKey(world, n), "/v1/groups", { name: "g".repeat(250), visibility: n % 2 ? "public" : "private" }),
      ),
  },
  {
    name: "members who come and go",
    about: "roles are given and taken away as fast as may be, while records are read",
    prepare: async (world) => {
      await makePeople(world, 100, () => ({ groups: [{ id: world.group }] }));
      const members = `/v1/groups/${world.group}/members`;
      return () =>
        flood(world, { perSecond: 200 }, (n) => {
          const { id } = inTurn(world.users.slice(10), n);
          const key = anyKey({ users: world.users.slice(0, 10) }, n);
          if (n % 4 === 0) return { method: "DELETE", path: `${members}/${id}`, key };
          if (n % 4 === 1) return post(key, members, { id, role: "reader" });
          return n % 4 === 2 ? patch(key, `${members}/${id}`, { role: "admin" }) : get(key, "/v1/people?limit=100");
        });
    },
  },
  {
    name: "records that leave a group",
    about: "batches of a hundred people are put into a group with values, and taken out again",
    prepare: async (world) => {
      const people = await makePeople(world, 100, () => ({}));
      const values = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`Text ${i}`, "a".repeat(1_000)]));
      const enter = people.map((id) => ({
        ...{ id, groups: [{ id: world.group }] },
        customFieldValues: { [world.group]: values },
      }));
      const leave = people.map((id) => ({ id, groups: [] }));
      return () =>
        flood(world, { perSecond: 40 }, (n) =>
          post(anyKey(world, n), "/v1/people/batch/update", { records: n % 2 ? enter : leave }),
        );
    },
  },
  {
    name: "a group that opens and closes",
    about: "a group with 3,000 records becomes public and private in turn, and is renamed",
    prepare: async (world) => {
      await makePeople(world, 3_000, () => ({ groups: [{ id: world.group }] }));
      return () =>
        flood(world, { perSecond: 60 }, (n) =>
          patch(world.admin.key, `/v1/groups/${world.group}`, {
            name: `Sales ${n}`,
            visibility: n % 2 ? "public" : "private",
          }),
        );
    },
  },
  {
    name: "paths of unknown types",
    about: "types of objects with names of 500 characters, and names of fields that are not there",
    prepare: (world) => {
      const name = encodeURIComponent("\u4e2d".repeat(500));
      const paths = [
        `/v1/groups/${world.group}/${name}`,
        `/v1/groups/${world.group}/custom-fields/${name}`,
        `/v1/groups/${world.group}/custom-fields/person/${name}`,
        `/v1/groups/${world.group}/Deals/obj_00000000-0000-0000-0000-000000000000`,
      ];
      return () => flood(world, { perSecond: 200 }, (n) => get(anyKey(world, n), inTurn(paths, n)));
    },
  },
];
