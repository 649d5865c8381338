const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Files that take half a minute and more, the longest first. One that began last would keep a worker while the others
 * have nothing left.
 */
const LONG = [
  "pages/pages.slow",
  "cli/backup.slow",
  "cli/start-checks.slow",
  "torture/durability.slow",
  "cli/upgrade.slow",
  "contract/shards.slow",
  "torture/faults.slow",
  "cli/citus.slow",
  "cli/roll-back.slow",
  "pages/reference.slow",
  "docs/generated-clients.slow",
  "docs/guides-examples-1.slow",
  "torture/rollouts.slow",
  "torture/holders.slow",
  "http/traces",
  "torture/webhooks.slow",
  "torture/neighbours.slow",
  "docs/self-hosting-machine.slow",
  "docs/guides-examples-2.slow",
  "database/silence.slow",
  "pages/console.slow",
  "pages/console-records.slow",
  "connection/timeouts.slow",
  "http/away.slow",
  "http/rate-limits.slow",
  "contract/replays.slow",
  "docs/guides-examples-3.slow",
];

/** Begins with the long files, and leaves the others as jest sorts them. */
module.exports = class extends Sequencer {
  static LONG = LONG;

  sort(tests) {
    const place = ({ path }) => LONG.findIndex((name) => path.includes(name)) + 1 || LONG.length + 1;
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
};
