/**
 * How many times as long as a step the purges rest after it. Deleting an event with its delivery costs half of what it costs to pass it
 * on, so a purge that rests half of the time keeps up with a publisher that never does. With nine tenths of rest the tables grew on a
 * busy machine (docs/torture.md#the-last-run).
 */
export const REST = 1;
