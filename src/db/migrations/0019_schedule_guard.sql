-- A schedule may ask for a person: when more than so many of its slots are due at once, or they come to more than so much,
-- it pauses instead of paying. Safe for older workers: columns they do not read; they pay as before.

alter table usance.schedules
  add column guard_count  int check (guard_count > 0),
  add column guard_amount bigint check (guard_amount > 0);
