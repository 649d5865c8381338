create table companies (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  folded_texts text not null,
  folded_lists text not null,
  name text not null,
  -- The SHA-256 of the name as names are compared. The name itself, of up to 1000 characters, does not fit into an index.
  name_key bytea not null,
  description text not null,
  funding_raised numeric,
  last_funding_date date,
  industry text,
  foundation_year numeric,
  employee_range text,
  addresses text[] not null,
  emails text[] not null,
  phones text[] not null,
  urls text[] not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);
create unique index companies_name on companies (workspace_id, name_key);

create index companies_text_keys on companies
  using gin (workspace_id, text_keys) with (gin_pending_list_limit = 256);
create index companies_folded on companies
  using gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index companies_created_by on companies (workspace_id, created_by, id);
create index companies_funding_raised on companies (workspace_id, funding_raised, id)
  where funding_raised is not null;
create index companies_last_funding_date on companies (workspace_id, last_funding_date, id)
  where last_funding_date is not null;
create index companies_foundation_year on companies (workspace_id, foundation_year, id)
  where foundation_year is not null;

create statistics companies_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from companies;
create statistics companies_folded_texts_2 on (split_part(folded_texts, 'F', 2)) from companies;
create statistics companies_folded_texts_3 on (split_part(folded_texts, 'F', 3)) from companies;
create statistics companies_folded_texts_4 on (split_part(folded_texts, 'F', 4)) from companies;
create statistics companies_folded_lists_1 on (split_part(folded_lists, 'F', 1)) from companies;
create statistics companies_folded_lists_2 on (split_part(folded_lists, 'F', 2)) from companies;
create statistics companies_folded_lists_3 on (split_part(folded_lists, 'F', 3)) from companies;
create statistics companies_folded_lists_4 on (split_part(folded_lists, 'F', 4)) from companies;
