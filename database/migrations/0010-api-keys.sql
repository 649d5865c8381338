-- Keys can be told apart: by a name that somebody gave, and by the first characters of the key itself, which are stored when it is made.
-- Of the 43 random characters 8 are shown, 48 of 256 bits: enough to find a key in a list, and of no use to whoever guesses the rest.
-- Keys that were made before have neither. A key that was rotated names the one in its place. docs/guides/running.md#keys-and-users
alter table api_keys add column name text, add column prefix text, add column successor_id uuid;
