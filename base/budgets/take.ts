/** Gives back what was taken. It is called once. */
export type GiveBack = () => void;

/**
 * Functions that take an amount of each budget. They are no members of the budget, so that code cannot take without
 * giving back.
 */
export const takers = new WeakMap<object, (tenant: string, amount: number) => GiveBack>();

/**
 * Takes of a budget, for holdings.ts, which sees to it that everything is given back.
 * @throws ApiError the refusal of the budget
 */
export function takeOf(budget: object, tenant: string, amount: number): GiveBack {
  const take = takers.get(budget);
  if (!take) throw new Error("This is no budget that was made here");
  return take(tenant, amount);
}
