const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Files that take half a minute and more, the longest first. One that began last would keep a worker while the others
 * have nothing left.
 */
const LONG = [
  "pages/pages",
  "torture/faults.slow",
  "torture/rollouts.slow",
  "tools/backup",
  "pages/reference",
  "torture/neighbours",
  "cli/upgrade",
  "client/generated",
  "connection/timeouts",
  "pages/console",
  "contract/replays",
  "cli/start-checks",
  "docs/guides-examples",
];

/** Begins with the long files, and leaves the others as jest sorts them. */
module.exports = class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => LONG.findIndex((name) => path.includes(name)) + 1 || LONG.length + 1;
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
};
